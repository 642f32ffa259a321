import { Button, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import classes from './rows.module.css';

interface RowListProps {
  readonly query: UseInfiniteQueryResult;
  /** What the rows add up to. */
  readonly head: ReactNode;
  /** The button for the file of all rows. */
  readonly csv: ReactNode;
  /** In place of a list without rows. */
  readonly empty: string;
  /** The rows, as `li`. */
  readonly children: readonly ReactNode[] | undefined;
}

/** Rows that are read page by page on request. */
export function RowList({ query, head, csv, empty, children }: RowListProps) {
  if (query.error !== null) {
    return <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (children === undefined) return <LinesSkeleton />;
  if (children.length === 0) return <Text c="dimmed">{empty}</Text>;
  return (
    <>
      <Text size="sm" mb="xs">
        {head}
      </Text>
      {csv}
      <ol className={classes.rows}>{children}</ol>
      {query.hasNextPage && (
        <Button
          mt="md"
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </>
  );
}
