import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import classes from './basis.module.css';

interface BasisProps {
  readonly eventId: string;
  readonly decisionId: string;
  /** How much each piece of evidence says. */
  readonly children: ReactNode;
}

/** What a candidate rests on, in one sentence, with the evidence in numbers behind it. */
export function Basis({ eventId, decisionId, children }: BasisProps) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['explanation', eventId, decisionId],
    queryFn: ({ signal }) =>
      ledger.events.explain(eventId, { decision_id: decisionId }, { signal }),
  });
  return (
    <>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {error === null && (
        <Skeleton visible={data === undefined}>
          <Text size="sm">{data?.sentence ?? 'What both have in common is loading.'}</Text>
        </Skeleton>
      )}
      <details className={classes.details}>
        <summary>Details</summary>
        {children}
      </details>
    </>
  );
}
