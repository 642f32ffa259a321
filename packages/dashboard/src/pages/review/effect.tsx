import type { ReviewAnswer } from '@decision-ledger/client/api/review';
import { Anchor, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.tsx';
import { Parting } from '../../components/make-link/parting.tsx';
import { Money } from '../../components/values.tsx';
import classes from './effect.module.css';

type Change = NonNullable<ReviewAnswer['dry_run']>;

/** The first part of the key of its queries. */
export const EFFECT_KEY = ['review-effect'] as const;

/** A person who passes many events asks for the effect of none of them. */
const PAUSE_MS = 200;

/** An answer that names a cause. It names no link, because suggestions are replaced at any time. */
export interface Cause {
  readonly eventId: string;
  readonly decisionId: string;
}

interface EffectProps {
  /** Undefined if there is no effect to show. */
  readonly cause: Cause | undefined;
  /** Why there is none. */
  readonly reason: string;
  /** Whether an answer is on its way: what it would change is known after it. */
  readonly isPaused: boolean;
}

/** What a confirmation would change, by a dry run. */
export function Effect({ cause, reason, isPaused }: EffectProps) {
  const ledger = useLedger();
  const wish = cause === undefined ? '' : `${cause.eventId} ${cause.decisionId}`;
  const [wanted] = useDebouncedValue(wish, PAUSE_MS);
  const isSettled = wanted === wish;
  const { data, error } = useQuery({
    queryKey: [...EFFECT_KEY, cause?.eventId, cause?.decisionId],
    queryFn: async ({ signal }) => {
      const { eventId = '', decisionId = '' } = cause ?? {};
      const body = { decision_id: decisionId };
      return (await ledger.reviews.previewAnswer(eventId, body, { signal })).dry_run ?? null;
    },
    enabled: cause !== undefined && isSettled && !isPaused,
    // Another answer may have changed it.
    ...{ staleTime: 0, gcTime: 0 },
  });
  return (
    <section className={classes.effect} aria-live="polite" aria-label="Effect of confirming">
      {cause === undefined && <Note>{reason}</Note>}
      {cause !== undefined && isSettled && data ? (
        <>
          <Changes change={data} />
          {data.parted.length > 0 && (
            <Parting
              act="Confirming"
              parted={data.parted}
              alternative={({ financial_event_id }) => (
                <Anchor
                  underline="always"
                  c="inherit"
                  renderRoot={(props) => (
                    <Link to="/money" search={{ event: financial_event_id }} {...props} />
                  )}
                >
                  Share it between both decisions instead
                </Anchor>
              )}
            />
          )}
        </>
      ) : (
        cause !== undefined && (
          <Note>
            {error === null || !isSettled
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
