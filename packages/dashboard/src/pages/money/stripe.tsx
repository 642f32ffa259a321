import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SERVICE } from '../../app/address.ts';
import { useLedger } from '../../app/session/context.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Facts } from '../../components/facts.tsx';
import { Hash } from '../../components/hash.tsx';
import { Moment } from '../../components/moment.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { formatCount } from '../../format/numbers.ts';
import classes from './connections.module.css';

/** What Stripe sends by webhook. There is nothing to poll. */
export function Stripe() {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['connections', 'stripe'],
    queryFn: async ({ signal }) => {
      const [{ stripe }, { financial_events }] = await Promise.all([
        ledger.settings.get({ signal }),
        ledger.events.list({ source: 'stripe', limit: 1 }, { signal }).page(),
      ]);
      return { secrets: stripe.signing_secrets.length, last: financial_events[0] };
    },
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={3} />;
  if (data.secrets === 0) return <NoSecret />;
  return (
    <>
      <Facts
        facts={[
          [
            'State',
            data.last === undefined ? (
              'Waits for the first event'
            ) : (
              <span key="state" className={classes.good}>
                Receives events
              </span>
            ),
          ],
          ['Signing secrets', formatCount(data.secrets)],
          [
            'Newest event',
            data.last === undefined ? 'None' : <Moment key="last" time={data.last.timestamp} />,
          ],
        ]}
      />
      <Text c="dimmed" size="sm" mt="md" mb={4}>
        Stripe sends events by itself, so there is nothing to poll. Its endpoint has this URL, with
        a key that has the permission webhook alone:
      </Text>
      <Hash
        value={`${SERVICE}/api/v1/financial-events/webhook/stripe?key=…`}
        label="the URL for Stripe"
        full
      />
    </>
  );
}

const EXAMPLE = { stripe: { signing_secrets: ['whsec_…'] } };

function NoSecret() {
  return (
    <EmptyState
      title="Stripe is not connected"
      request={{ method: 'PATCH', path: '/api/v1/settings', body: EXAMPLE }}
    >
      Payments, refunds and disputes arrive by webhook. Add an endpoint in Stripe for {SERVICE}
      /api/v1/financial-events/webhook/stripe, and set its signing secret with this request.
    </EmptyState>
  );
}
