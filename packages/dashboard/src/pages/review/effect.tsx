import type { ReviewedLink } from '@decision-ledger/client/api/link';
import { Anchor, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.ts';
import { Money } from '../../components/money.tsx';
import classes from './effect.module.css';

type Change = NonNullable<ReviewedLink['dry_run']>;

/** A person who passes many events asks for the effect of none of them. */
const PAUSE_MS = 200;

/** What a confirmation would change, by a dry run. */
export function Effect({ linkId, reason }: { linkId: string | undefined; reason: string }) {
  const ledger = useLedger();
  const [wanted] = useDebouncedValue(linkId, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['review-effect', wanted],
    queryFn: async ({ signal }) =>
      (await ledger.links.previewConfirm(wanted ?? '', {}, { signal })).dry_run ?? null,
    enabled: wanted !== undefined && wanted === linkId,
    staleTime: 0,
  });
  return (
    <section className={classes.effect} aria-live="polite" aria-label="Effect of confirming">
      {linkId === undefined && <Note>{reason}</Note>}
      {linkId !== undefined && wanted === linkId && data ? (
        <Changes change={data} />
      ) : (
        linkId !== undefined && (
          <Note>
            {error === null || wanted !== linkId
              ? 'Calculating the effect of confirming…'
              : `The effect cannot be calculated: ${error.message}`}
          </Note>
        )
      )}
    </section>
  );
}

function Note({ children }: { children: string }) {
  return (
    <Text c="dimmed" size="xs">
      {children}
    </Text>
  );
}

function Changes({ change }: { change: Change }) {
  const { currency, net_before, net_after, exposure_before, exposure_after, unconverted } = change;
  return (
    <>
      <dl className={classes.changes}>
        <div>
          <dt>Net</dt>
          <dd>
            {unconverted ? (
              <Anchor
                renderRoot={(props) => (
                  <Link to="/money" search={{ tab: 'unconverted' }} {...props} />
                )}
              >
                no exchange rate
              </Anchor>
            ) : (
              <FromTo from={net_before} to={net_after} currency={currency} />
            )}
          </dd>
        </div>
        <div>
          <dt>Exposure</dt>
          <dd>
            <FromTo from={exposure_before} to={exposure_after} currency={currency} />
          </dd>
        </div>
      </dl>
      <span className={classes.note}>if confirmed</span>
    </>
  );
}

function FromTo({ from, to, currency }: { from: string; to: string; currency: string }) {
  return (
    <>
      <Money amount={from} currency={currency} /> →{' '}
      <strong>
        <Money amount={to} currency={currency} />
      </strong>
    </>
  );
}
