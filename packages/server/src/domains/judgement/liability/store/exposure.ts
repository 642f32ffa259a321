import sql, { raw } from 'sql-template-tag';
import { float8Array, textArray } from '../../../../platform/binary-array.js';
import { positionOf } from '../../../../platform/followers/positions.js';
import { instant } from '../../../../platform/instant.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { decimal } from '../rules/amounts.js';
import { isAmong, type Reestimate, type WhichDecisions } from './estimates.js';

/** Columns that are summed over decisions. */
const SUMS = raw(`decisions, confidence, overseen, exposure, realised, squares, stake, unconverted,
  events, event_squares, sizes, denied`);

/** What an estimate adds to a cell: the columns of `SUMS`. */
const SUMMED = raw(`count(*), sum(confidence), count(*) filter (where oversight <> 'none'),
  sum(exposure), sum(realised), sum((exposure - realised) * (exposure - realised)), sum(stake),
  sum(unconverted), sum(events), sum(events * events), sum(sizes), count(*) filter (where denied)`);

const ADDED = raw(`decisions = c.decisions + excluded.decisions,
  confidence = c.confidence + excluded.confidence, overseen = c.overseen + excluded.overseen,
  exposure = c.exposure + excluded.exposure, realised = c.realised + excluded.realised,
  squares = c.squares + excluded.squares, stake = c.stake + excluded.stake,
  unconverted = c.unconverted + excluded.unconverted, events = c.events + excluded.events,
  event_squares = c.event_squares + excluded.event_squares, sizes = c.sizes + excluded.sizes,
  denied = c.denied + excluded.denied`);

/** The follower that stores the first estimates of decisions and adds them to the cells. */
export const ESTIMATES = 'estimates';

/** The estimates of decisions up to here are in the cells. */
export const summedSeq = (ledgerId: string) => positionOf(ledgerId, ESTIMATES, 'decisions');

/** Adds estimates to the cells; they must not be in the cells yet. */
export async function addToCells(tx: LedgerWriter, which: WhichDecisions): Promise<void> {
  await tx.query(sql`
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, variant, ${SUMS})
    select ${tx.ledgerId}, date_trunc('hour', "timestamp"), agent_id, action_type, variant, ${SUMMED}
    from liability_estimates e where e.ledger_id = ${tx.ledgerId} and ${isAmong(sql`e.seq`, which)}
    group by 2, 3, 4, 5
    on conflict (ledger_id, hour, agent_id, action_type, variant) do update set ${ADDED}`);
}

/**
 * Takes current estimates out of the cells and puts new ones in, for decisions that are in the cells. The
 * version may have changed, and with it the cell.
 */
export async function changeCells(tx: LedgerWriter, rows: readonly Reestimate[]): Promise<void> {
  const { text, values } = sql`
    with n as (
      select * from unnest(
        ${float8Array(rows, ({ seq }) => seq)}::float8[],
        ${textArray(rows, ({ variant }) => variant)}::text[],
        ${textArray(rows, ({ estimate }) => estimate.exposure)}::text[],
        ${textArray(rows, ({ estimate }) => estimate.realised)}::text[],
        ${textArray(rows, ({ stake }) => decimal(stake))}::text[],
        ${float8Array(rows, ({ estimate }) => estimate.unconverted)}::float8[],
        ${float8Array(rows, ({ events }) => events)}::float8[],
        ${textArray(rows, ({ sizes }) => decimal(sizes))}::text[],
        ${float8Array(rows, ({ isDenied }) => (isDenied ? 1 : 0))}::float8[]
      ) as n (seq, variant, exposure, realised, stake, unconverted, events, sizes, denied)
    ), moved as (
      select e."timestamp", e.agent_id, e.action_type, e.variant, -1 as sign, e.confidence,
        e.oversight, e.exposure, e.realised, e.stake, e.unconverted, e.events, e.sizes, e.denied
      from n join liability_estimates e on e.ledger_id = ${tx.ledgerId} and e.seq = n.seq::bigint
      where e.seq <= ${summedSeq(tx.ledgerId)}
      union all
      select e."timestamp", e.agent_id, e.action_type, n.variant, 1, e.confidence,
        e.oversight, n.exposure::numeric, n.realised::numeric, n.stake::numeric,
        n.unconverted::integer, n.events, n.sizes::numeric, n.denied::integer::boolean
      from n join liability_estimates e on e.ledger_id = ${tx.ledgerId} and e.seq = n.seq::bigint
      where e.seq <= ${summedSeq(tx.ledgerId)}
    )
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, variant, ${SUMS})
    select ${tx.ledgerId}, date_trunc('hour', "timestamp"), agent_id, action_type, variant, sum(sign),
      sum(sign * confidence), coalesce(sum(sign) filter (where oversight <> 'none'), 0), sum(sign * exposure),
      sum(sign * realised), sum(sign * (exposure - realised) * (exposure - realised)),
      sum(sign * stake), sum(sign * unconverted), sum(sign * events),
      sum(sign * events * events), sum(sign * sizes), sum(sign * denied::integer)
    from moved group by 2, 3, 4, 5
    on conflict (ledger_id, hour, agent_id, action_type, variant) do update set ${ADDED}`;
  await tx.query({ name: 'change-cells', text, values });
}

/** Stores the current exposure as that of a day (`2026-04-16`). */
export async function insertExposureDays(
  tx: LedgerWriter,
  day: string,
  currency: string,
): Promise<void> {
  await tx.query(sql`
    insert into exposure_days (ledger_id, day, agent_id, action_type, currency, decisions,
      exposure, realised)
    select ${tx.ledgerId}, ${day}::date, agent_id, action_type, ${currency}, sum(decisions),
      sum(exposure), sum(realised)
    from exposure_cells where ledger_id = ${tx.ledgerId} group by agent_id, action_type
    on conflict do nothing`);
}

/** A cell that differs from the sum of its estimates, with the columns that differ. */
export interface CellFault {
  readonly cell: string;
  readonly expected: Readonly<Record<string, string>>;
  readonly actual: Readonly<Record<string, string>>;
}

/** The first hour (ms) at or after a time (ms) that has a cell or a decision; null if none has. */
export async function selectNextHour(ledger: LedgerReader, from: number): Promise<number | null> {
  const [row] = await ledger.query<{ hour: number | null }>(sql`
    select (extract(epoch from least(
      (select min(hour) from exposure_cells
        where ledger_id = ${ledger.ledgerId} and hour >= ${instant(from)}),
      (select date_trunc('hour', min("timestamp")) from decisions
        where ledger_id = ${ledger.ledgerId} and "timestamp" >= ${instant(from)})
    )) * 1000)::bigint as hour`);
  return row?.hour ?? null;
}

const EXACT = [
  ...['decisions', 'overseen', 'exposure', 'realised', 'squares', 'stake', 'unconverted', 'sizes'],
  'denied',
];
/** Sums of floating point numbers depend on the order of their terms. */
const INEXACT = ['confidence', 'events', 'event_squares'];

/** For each column, whether the sum `n` differs from the cell `c`. */
const DIFFERENCES = new Map([
  ...EXACT.map((name) => [name, `coalesce(n.${name}, 0) <> coalesce(c.${name}, 0)`] as const),
  ...INEXACT.map((name) => {
    const sum = `coalesce(n.${name}, 0)`;
    const apart = `abs(${sum} - coalesce(c.${name}, 0)) > 1e-6 * greatest(1, abs(${sum}))`;
    return [name, apart] as const;
  }),
]);

/** The columns that differ, as decimal texts. */
const shown = (row: 'n' | 'c') => {
  const members = [...DIFFERENCES].map(
    ([name, differs]) =>
      `'${name}', case when ${differs} then coalesce(${row}.${name}, 0)::text end`,
  );
  return raw(`json_strip_nulls(json_build_object(${members.join(', ')}))`);
};
const anyDiffers = raw([...DIFFERENCES.values()].join(' or '));

/** Adds up the estimates of some hours (ms, the end exclusive) again and compares the sums with the cells. */
export async function selectCellFaults(
  ledger: LedgerReader,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<CellFault[]> {
  return ledger.query<CellFault>(sql`
    select concat_ws(' ', to_char(coalesce(n.hour, c.hour), 'YYYY-MM-DD"T"HH24:MI"Z"'),
        coalesce(n.agent_id, c.agent_id), coalesce(n.action_type, c.action_type),
        nullif(coalesce(n.variant, c.variant), '')) as cell,
      ${shown('n')} as expected, ${shown('c')} as actual
    from (
      select date_trunc('hour', e."timestamp") as hour, e.agent_id, e.action_type, e.variant,
        count(*) as decisions, sum(e.confidence) as confidence,
        count(*) filter (where e.oversight <> 'none') as overseen, sum(e.exposure) as exposure,
        sum(e.realised) as realised,
        sum((e.exposure - e.realised) * (e.exposure - e.realised)) as squares,
        sum(e.stake) as stake, sum(e.unconverted) as unconverted, sum(e.events) as events,
        sum(e.events * e.events) as event_squares, sum(e.sizes) as sizes,
        count(*) filter (where e.denied) as denied
      from decisions d
      join liability_estimates e on e.ledger_id = ${ledger.ledgerId} and e.seq = d.seq
      where d.ledger_id = ${ledger.ledgerId} and d."timestamp" >= ${instant(start)}
        and d."timestamp" < ${instant(end)}
        and d.seq <= ${summedSeq(ledger.ledgerId)}
      group by 1, 2, 3, 4
    ) n
    full join (
      select * from exposure_cells
      where ledger_id = ${ledger.ledgerId} and hour >= ${instant(start)} and hour < ${instant(end)}
    ) c on c.hour = n.hour and c.agent_id = n.agent_id and c.action_type = n.action_type
      and c.variant = n.variant
    where ${anyDiffers}
    order by 1`);
}
