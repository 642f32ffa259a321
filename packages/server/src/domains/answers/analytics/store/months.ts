import { formatTimestamp } from '@decision-ledger/contract/time';
import sql, { empty, type Sql } from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';
import type { Filter } from '../rules/filter.js';
import type { Closing } from '../rules/periods.js';

/** Figures of a month as they were stored. Times in ms, hashes in hexadecimal. */
export interface StoredMonth {
  /** `2026-04`. */
  readonly month: string;
  readonly at: number;
  readonly activity_seq: number;
  readonly activity_hash: string;
  /** JSON. */
  readonly figures: string;
}

export interface StoredRestatement extends StoredMonth {
  /** JSON. */
  readonly changes: string;
  /** JSON. */
  readonly explanation: string;
}

/** When the months of a range were closed and last restated. */
export async function selectClosings(
  ledger: LedgerReader,
  { start, end }: Filter,
): Promise<Closing[]> {
  const from = start === undefined ? empty : sql` and c.month >= ${monthOf(start)}`;
  const until = end === undefined ? empty : sql` and c.month <= ${monthOf(end - 1)}`;
  const rows = await ledger.query<{
    readonly month: string;
    readonly closed_at: number;
    readonly restated_at: number | null;
  }>(sql`
    select c.month, (extract(epoch from c.closed_at) * 1000)::bigint as closed_at,
      (select (extract(epoch from max(r.restated_at)) * 1000)::bigint from month_restatements r
        where r.ledger_id = ${ledger.ledgerId} and r.month = c.month) as restated_at
    from closed_months c where c.ledger_id = ${ledger.ledgerId}${from}${until}`);
  return rows.map(({ month, closed_at, restated_at }) => ({
    month,
    closed_at: formatTimestamp(closed_at),
    restated_at: restated_at === null ? null : formatTimestamp(restated_at),
  }));
}

/** The month (UTC) of a time (ms). */
function monthOf(ms: number): string {
  return formatTimestamp(ms).slice(0, 7);
}

/**
 * Closed months, the latest first.
 * @param before `2026-04`: only earlier months
 */
export async function selectClosedMonths(
  ledger: LedgerReader,
  { month, before }: { readonly month?: string | undefined; readonly before: string | null },
  limit: number,
): Promise<StoredMonth[]> {
  const only = month === undefined ? empty : sql` and month = ${month}`;
  const earlier = before === null ? empty : sql` and month < ${before}`;
  return ledger.query<StoredMonth>(sql`
    select month, (extract(epoch from closed_at) * 1000)::bigint as at, activity_seq,
      encode(activity_hash, 'hex') as activity_hash, figures
    from closed_months where ledger_id = ${ledger.ledgerId}${only}${earlier}
    order by closed_months.month desc limit ${limit}`);
}

/** The restatements of some months, the oldest first. */
export async function selectRestatements(
  ledger: LedgerReader,
  months: readonly string[],
): Promise<StoredRestatement[]> {
  return ledger.query<StoredRestatement>(sql`
    select month, (extract(epoch from restated_at) * 1000)::bigint as at, activity_seq,
      encode(activity_hash, 'hex') as activity_hash, figures, changes, explanation
    from month_restatements
    where ledger_id = ${ledger.ledgerId} and month = any(${months}::text[])
    order by month_restatements.month, run_day`);
}

/** The closed months of a ledger. */
export async function selectClosedNames(ledger: LedgerReader): Promise<string[]> {
  const rows = await ledger.query<{ readonly month: string }>(sql`
    select month from closed_months where ledger_id = ${ledger.ledgerId}`);
  return rows.map(({ month }) => month);
}

/** The figures of a closed month as last published: as closed, or as last restated. */
export type PublishedMonth = Pick<StoredMonth, 'month' | 'activity_seq' | 'figures'>;

export async function selectPublishedMonths(
  ledger: LedgerReader,
  months: readonly string[],
): Promise<PublishedMonth[]> {
  return ledger.query<PublishedMonth>(sql`
    select c.month, coalesce(r.activity_seq, c.activity_seq) as activity_seq,
      coalesce(r.figures, c.figures) as figures
    from closed_months c left join lateral (
      select r.activity_seq, r.figures from month_restatements r
      where r.ledger_id = ${ledger.ledgerId} and r.month = c.month order by r.run_day desc limit 1
    ) r on true
    where c.ledger_id = ${ledger.ledgerId} and c.month = any(${months}::text[])`);
}

/** What is stored of a month at one time. */
export interface NewFigures {
  readonly month: string;
  readonly figures: string;
  readonly state: { readonly activity_seq: number; readonly activity_hash: string };
}

/** @param closedAt ms */
export async function insertClosed(
  tx: LedgerWriter,
  { month, figures, state }: NewFigures,
  closedAt: number,
): Promise<void> {
  await tx.query(sql`
    insert into closed_months (ledger_id, month, closed_at, activity_seq, activity_hash, figures)
    values (${tx.ledgerId}, ${month}, ${instant(closedAt)}, ${state.activity_seq},
      decode(${state.activity_hash}, 'hex'), ${figures})`);
}

/** JSON. */
interface NewRestatement extends NewFigures {
  readonly changes: string;
  readonly explanation: string;
}

/**
 * @param runDay of the nightly run, `2026-04-16`
 * @param restatedAt ms
 */
export async function insertRestatement(
  tx: LedgerWriter,
  { month, figures, state, changes, explanation }: NewRestatement,
  runDay: string,
  restatedAt: number,
): Promise<void> {
  await tx.query(sql`
    insert into month_restatements (ledger_id, month, run_day, restated_at, activity_seq,
      activity_hash, figures, changes, explanation)
    values (${tx.ledgerId}, ${month}, ${runDay}::date, ${instant(restatedAt)}, ${state.activity_seq},
      decode(${state.activity_hash}, 'hex'), ${figures}, ${changes}, ${explanation})`);
}

/** The last complete nightly run of a ledger. */
export interface ClosingState {
  /** `2026-04-16`. */
  readonly run_day: string;
  /** The last record of the activity chain that the run has seen. */
  readonly activity_seq: number;
  /** Of events of earlier months (`2026-04`), what they counted with is kept when it changes. */
  readonly open_month: string;
}

/**
 * A ledger, if it has no complete nightly run since a day (`2026-04-16`), as a query.
 * @param ledgerId UUID, or the column that has it
 */
export function unclosedSince(ledgerId: string | Sql, day: string): Sql {
  return sql`select own.ledger_id from ${ownRow(ledgerId)} as own
    where not exists (select from closing_states s
      where s.ledger_id = ${ledgerId} and s.run_day >= ${day}::date)`;
}

export async function selectClosingState(ledger: LedgerReader): Promise<ClosingState | null> {
  const [state] = await ledger.query<ClosingState>(sql`
    select run_day::text as run_day, activity_seq, open_month from closing_states
    where ledger_id = ${ledger.ledgerId}`);
  return state ?? null;
}

export async function updateClosingState(
  tx: LedgerWriter,
  { run_day, activity_seq }: Omit<ClosingState, 'open_month'>,
): Promise<void> {
  await tx.query(sql`
    update closing_states set run_day = ${run_day}::date, activity_seq = ${activity_seq}
    where ledger_id = ${tx.ledgerId}`);
}

/**
 * Lets what events of earlier months counted with be kept from now on. A ledger without a run gets a state that no run made.
 * @param month `2026-04`
 */
export async function upsertOpenMonth(tx: LedgerWriter, month: string): Promise<void> {
  await tx.query(sql`
    insert into closing_states (ledger_id, run_day, activity_seq, open_month)
    values (${tx.ledgerId}, '0001-01-01', 0, ${month})
    on conflict (ledger_id) do update set open_month = excluded.open_month`);
}
