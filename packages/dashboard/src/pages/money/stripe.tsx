import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Facts } from '../../components/facts.tsx';
import { Moment } from '../../components/moment.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { settingsOf } from '../../components/settings-query.ts';
import { StripeEndpoint } from '../../components/stripe/endpoint.tsx';
import { StripeSecrets } from '../../components/stripe/secrets.tsx';
import classes from './connections.module.css';

/** What Stripe sends by webhook. There is nothing to poll. */
export function Stripe() {
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
