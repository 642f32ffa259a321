import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { now } from '../app/clock.ts';
import { useLedger } from '../app/session/context.tsx';
import { formatAge, formatDate } from '../format/dates.ts';
import { formatCount } from '../format/numbers.ts';
import { Icon } from './icon.tsx';
import { ErrorPanel } from './load-states.tsx';
import classes from './seal.module.css';

/** The result of the last verification of the chain of decisions. */
export function Seal({ children }: { children?: ReactNode }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['verification', 'last'],
    queryFn: async ({ signal }) => (await ledger.verification.last({ signal })).decisions,
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  const state = data === undefined ? 'loading' : stateOf(data);
  return (
    <div className={classes.seal} data-state={state}>
      <span className={classes.icon}>
        <Icon name={state === 'broken' ? 'warning' : 'evidence'} size={18} />
      </span>
      {data === undefined && (
        <Text c="dimmed" className={classes.text ?? ''}>
          Reading the last verification…
        </Text>
      )}
      {data === null && <span className={classes.text}>The chain was not verified yet.</span>}
      {data !== null && data !== undefined && (
        <span className={classes.text}>
          {state === 'intact'
            ? `Chain intact to #${formatCount(data.head.seq)}`
            : 'The chain is broken'}
          , checked{' '}
          <time
            dateTime={data.verification_timestamp}
            title={formatDate(data.verification_timestamp, 'time')}
          >
            {formatAge(data.verification_timestamp, now())}
          </time>
        </span>
      )}
      <span className={classes.actions}>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/evidence" {...props} />}
          data-screen-only
        >
          {state === 'broken' ? 'See what is broken' : 'Verify now'}
        </Anchor>
        {children}
      </span>
    </div>
  );
}

function stateOf(last: { readonly is_valid: boolean } | null): 'none' | 'intact' | 'broken' {
  if (last === null) return 'none';
  return last.is_valid ? 'intact' : 'broken';
}
