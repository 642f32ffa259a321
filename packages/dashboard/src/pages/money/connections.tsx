import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { PageGate, Section } from '../../components/page.tsx';
import { settingsOf } from '../../components/saving-settings.tsx';
import { StripeEndpoint, StripeSecrets } from '../../components/stripe.tsx';
import { Facts, Moment } from '../../components/values.tsx';
import { Accounting } from './accounting.tsx';
import classes from './connections.module.css';
import type { TabProps } from './queries.ts';

/** The systems that money comes from. */
export function Connections(_props: TabProps) {
  return (
    <PageGate permission="admin">
      <Section title="Accounting">
        <Accounting />
      </Section>
      <Section title="Stripe">
        <Stripe />
      </Section>
    </PageGate>
  );
}

/** What Stripe sends by webhook. There is nothing to poll. */
function Stripe() {
  const ledger = useLedger();
  const settings = useQuery(settingsOf(ledger));
  const newest = useQuery({
    queryKey: ['connections', 'stripe'],
    queryFn: async ({ signal }) =>
      (await ledger.events.list({ source: 'stripe', limit: 1 }, { signal }).page())
        .financial_events[0] ?? null,
  });
  const error = settings.error ?? newest.error;
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void settings.refetch()} />;
  if (settings.data === undefined || newest.data === undefined) return <LinesSkeleton lines={3} />;
  const { data, tag } = settings.data;
  const secrets = data.stripe.signing_secrets;
  return (
    <>
      <Facts
        facts={[
          ['State', <State key="state" isSet={secrets.length > 0} isUsed={newest.data !== null} />],
          [
            'Newest event',
            newest.data === null ? 'None' : <Moment key="last" time={newest.data.timestamp} />,
          ],
        ]}
      />
      <h3 className={classes.step}>1. Add an endpoint at Stripe</h3>
      <StripeEndpoint />
      <h3 className={classes.step}>2. Enter the signing secret of the endpoint</h3>
      <StripeSecrets secrets={secrets} tag={tag} />
    </>
  );
}

function State({ isSet, isUsed }: { isSet: boolean; isUsed: boolean }) {
  if (!isSet) return <>Stripe is not connected</>;
  return isUsed ? (
    <span className={classes.good}>Receives events</span>
  ) : (
    <>Waiting for the first event</>
  );
}
