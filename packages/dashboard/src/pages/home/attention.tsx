import type { AttributionQuality } from '@decision-ledger/client/api/attribution';
import type { BudgetStates } from '@decision-ledger/client/api/budget';
import type { ReviewPage } from '@decision-ledger/client/api/review';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCan, useLedger } from '../../app/session/context.tsx';
import { budgetsOf } from '../../components/budgets.ts';
import { LinesSkeleton } from '../../components/load-states.tsx';
import { Section } from '../../components/page.tsx';
import { openReviewsOf } from '../../components/shared-queries.ts';
import { Money } from '../../components/values.tsx';
import { formatRange, monthRange } from '../../format/dates.ts';
import { formatCount } from '../../format/numbers.ts';
import classes from './home.module.css';
import { Line } from './line.tsx';
import { linesOfMoney, useWaitingMoney, type WaitingMoney } from './waiting-money.tsx';

/** What waits for a person. */
export function NeedsAttention() {
  const attention = useAttention();
  return (
    <Section title="Needs attention">
      {attention === undefined ? <LinesSkeleton lines={4} /> : <List attention={attention} />}
    </Section>
  );
}

function List({ attention }: { attention: Attention }) {
  const { reviews, money, budgets, deadJobs, exportsReady, drifts, isWithdrawn, failed } =
    attention;
  const lines = [
    reviews !== null && reviews.reviews > 0 && (
      <Line key="reviews" to="/review" label="Review">
        {reviews.reviews === 1 ? '1 event waits' : `${formatCount(reviews.reviews)} events wait`}{' '}
        for a review: <Money amount={reviews.amount} currency={reviews.currency} />
        {reviews.unconverted > 0 &&
          `, and ${formatCount(reviews.unconverted)} without an exchange rate`}
      </Line>
    ),
    ...linesOfMoney(money),
    ...linesOfBudgets(budgets),
    deadJobs !== null && deadJobs > 0 && (
      <Line key="jobs" to="/settings" label="See and retry" isUrgent>
        {deadJobs === 1 ? '1 background job' : `${formatCount(deadJobs)} background jobs`} failed
        for good
      </Line>
    ),
    exportsReady !== null && exportsReady > 0 && (
      <Line key="exports" to="/evidence" label="Download">
        {exportsReady === 1 ? '1 export is' : `${formatCount(exportsReady)} exports are`} ready
      </Line>
    ),
    isWithdrawn && (
      <Line key="label" to="/review" label="Answer audits" isUrgent>
        Too few suggestions are right: all count as guesses until audits show otherwise
      </Line>
    ),
    drifts.length > 0 && (
      <Line key="drift" to="/review" label="Answer audits" isUrgent>
        The attribution drifts since {formatRange(monthRange(drifts[0]?.month ?? ''))}:{' '}
        {drifts.map(({ metric }) => METRICS[metric]).join(', ')}
      </Line>
    ),
    failed.length > 0 && (
      <Text key="failed" component="li" size="sm" c="dimmed" className={classes.item ?? ''}>
        Not known, because the service did not answer: {failed.join(', ')}.
      </Text>
    ),
  ].filter((line) => line !== false);
  if (lines.length === 0)
    return <Text c="dimmed">Nothing to do. New work appears here by itself.</Text>;
  return <ul className={classes.items}>{lines}</ul>;
}

/** A line for each budget of which a share is used that was reported. */
function linesOfBudgets(states: BudgetStates | undefined) {
  const reached = states?.budgets.filter(({ reached_percent }) => reached_percent > 0) ?? [];
  return reached.map(({ id, used, amount, status, reached_percent }) => (
    <Line key={`budget ${id}`} to="/exposure" label="See" isUrgent={status === 'exceeded'}>
      {status === 'exceeded'
        ? `The budget ${id} is exceeded: `
        : `${reached_percent} % of the budget ${id} is used: `}
      <Money amount={used ?? '0'} currency={states?.currency ?? ''} /> of{' '}
      <Money amount={amount} currency={states?.currency ?? ''} />
    </Line>
  ));
}

const METRICS: Readonly<Record<Attention['drifts'][number]['metric'], string>> = {
  identifier_coverage: 'events share fewer or more identifiers with decisions',
  lag: 'the time from decision to event has changed',
  share: 'suggestions are more or less certain',
};

type Month = AttributionQuality['by_month'][number];
type Drift = Month['drift'][number] & { readonly month: string };

/** What waits for a person. Null: the person may not see it, or it is not known. */
interface Attention {
  readonly reviews: ReviewPage['open'] | null;
  readonly money: WaitingMoney;
  readonly budgets: BudgetStates | undefined;
  readonly deadJobs: number | null;
  readonly exportsReady: number | null;
  /** Of the newest month. */
  readonly drifts: readonly Drift[];
  /** Whether the label `matched` is withdrawn. */
  readonly isWithdrawn: boolean;
  /** What could not be read. */
  readonly failed: readonly string[];
}

const COUNTED = 100;

/** Undefined until all of it is known, so that the list does not jump. */
function useAttention(): Attention | undefined {
  const ledger = useLedger();
  const isAdmin = useCan('admin');
  const mayExport = useCan('export');
  const reviews = useQuery(openReviewsOf(ledger));
  const { parts: moneyParts, ...money } = useWaitingMoney();
  const jobs = useQuery({
    queryKey: ['jobs', 'dead', 'count'],
    queryFn: async ({ signal }) =>
      (await ledger.operations.deadJobs({ limit: COUNTED }, { signal }).page()).jobs.length,
    enabled: isAdmin,
  });
  const ready = useQuery({
    queryKey: ['exports', 'ready'],
    queryFn: async ({ signal }) =>
      (await ledger.exports.list({ status: 'complete', limit: COUNTED }, { signal }).page()).exports
        .length,
    enabled: mayExport,
  });
  const quality = useQuery({
    queryKey: ['quality'],
    queryFn: ({ signal }) => ledger.analytics.attributionQuality({}, { signal }),
  });
  const budgets = useQuery(budgetsOf(ledger));
  const own = {
    'open reviews': reviews,
    budgets,
    'failed jobs': jobs,
    exports: ready,
    drift: quality,
  };
  const parts = { ...own, ...moneyParts };
  if (Object.values(parts).some(({ isLoading }) => isLoading)) return undefined;
  return {
    reviews: reviews.data ?? null,
    money,
    budgets: budgets.data,
    deadJobs: jobs.data ?? null,
    exportsReady: ready.data ?? null,
    drifts: driftsOf(quality.data?.by_month.at(-1)),
    isWithdrawn: quality.data?.label.state === 'withdrawn',
    failed: Object.entries(parts).flatMap(([name, { error }]) => (error === null ? [] : [name])),
  };
}

function driftsOf(newest: Month | undefined): readonly Drift[] {
  if (newest === undefined) return [];
  const { month, drift } = newest;
  return drift.filter(({ state }) => state === 'drifted').map((found) => ({ ...found, month }));
}
