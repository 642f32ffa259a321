import type { DecisionInDetail } from '@decision-ledger/client/api/decision';
import { Anchor, Button, Code, Text } from '@mantine/core';
import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import type { ListCall } from '../../components/rows.tsx';
import { Hash } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
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

/** The pages of a list that were read so far. */
export function useRowPages<Page extends { readonly next_cursor: string | null }>(
  queryKey: readonly unknown[],
  list: ListCall<Page>,
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      list(pageParam === '' ? {} : { cursor: pageParam }, { signal }).page(),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });
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

/** The decision behind a row, read when it is opened. */
export function DecisionProof({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={classes.proof}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>The decision</summary>
      {isOpen && <Loaded id={id} />}
    </details>
  );
}

function Loaded({ id }: { id: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', id],
    queryFn: ({ signal }) => ledger.decisions.get(id, { signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={4} />;
  return <Proof decision={data} />;
}

function Proof({ decision }: { decision: DecisionInDetail }) {
  const { decision_id, action_type, seq, hash } = decision;
  return (
    <div className={classes.proofBody}>
      <Anchor
        renderRoot={(props) => (
          <Link to="/decisions/$decisionId" params={{ decisionId: decision_id }} {...props} />
        )}
      >
        {action_type}, position {formatCount(seq)}
      </Anchor>
      <Field name="Inputs" value={decision.inputs} />
      <Field name="Outputs" value={decision.outputs} />
      <div>
        <Text size="xs" c="dimmed">
          Hash
        </Text>
        <Hash value={hash} label="the hash" full />
      </div>
    </div>
  );
}

function Field({ name, value }: { name: string; value: unknown }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      {value === undefined ? (
        <Text size="sm">Erased, or not recorded.</Text>
      ) : (
        <Code block className={classes.payload} tabIndex={0}>
          {JSON.stringify(value, null, 2)}
        </Code>
      )}
    </div>
  );
}
