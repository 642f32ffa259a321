import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { float8Array, textArray } from '../../../../platform/binary-array.js';
import { followerPosition } from '../../../../platform/followers/positions.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';
import { instant } from '../../../../platform/statement.js';
import { numericText } from '../rules/amounts.js';
import {
  insertion,
  isAmong,
  type NewEstimate,
  type Reestimate,
  type WhichDecisions,
} from './estimates.js';

/** Sums of decimals: they do not depend on the order of what is added. */
const DECIMALS = [
  ...['confidence', 'exposure', 'realised', 'squares', 'stake', 'events', 'event_squares'],
  'sizes',
];

/** Columns that are summed over decisions. */
const SUMS = raw(`decisions, confidence, overseen, exposure, realised, squares, stake, unconverted,
  events, event_squares, sizes, denied`);

/** What `SUMMED` reads of an estimate `e`, each decimal made once. */
const ADDENDS = raw(`e."timestamp", e.agent_id, e.action_type, e.variant, e.oversight, e.denied,
  e.unconverted, e.exposure, e.realised, e.exposure - e.realised as open, e.stake, e.sizes,
  e.confidence::numeric as confidence, e.events::numeric as events`);

/** The same of a row that has them already. */
const ADDEND_NAMES =
  raw(`"timestamp", agent_id, action_type, variant, oversight, denied, unconverted, exposure, realised,
  open, stake, sizes, confidence, events`);

/** What estimates (`ADDENDS`, as `a`) add to a cell: the columns of `SUMS`. */
const SUMMED = raw(`count(*) as decisions, sum(a.confidence) as confidence,
  count(*) filter (where a.oversight <> 'none') as overseen, sum(a.exposure) as exposure,
  sum(a.realised) as realised, sum(a.open * a.open) as squares, sum(a.stake) as stake,
  sum(a.unconverted) as unconverted, sum(a.events) as events, sum(a.events * a.events) as event_squares,
  sum(a.sizes) as sizes, count(*) filter (where a.denied) as denied`);

/**
 * The columns of `SUMS`, of decimals without zeros at their end: whatever was added and taken away before, the same
 * estimates make the same bytes.
 */
const TRIMMED = raw(`decisions, trim_scale(confidence) as confidence, overseen,
  trim_scale(exposure) as exposure, trim_scale(realised) as realised,
  trim_scale(squares) as squares, trim_scale(stake) as stake, unconverted,
  trim_scale(events) as events, trim_scale(event_squares) as event_squares,
  trim_scale(sizes) as sizes, denied`);

const added = (name: string) => `${name} = trim_scale(c.${name} + excluded.${name})`;
const ADDED = raw(`decisions = c.decisions + excluded.decisions,
  overseen = c.overseen + excluded.overseen, unconverted = c.unconverted + excluded.unconverted,
  denied = c.denied + excluded.denied, ${DECIMALS.map(added).join(', ')}`);

/** The follower that stores the first estimates of decisions and adds them to the cells. */
export const ESTIMATES = 'estimates';

/** The estimates of decisions up to here are in the cells. */
export const summedSeq = (ledgerId: string) => followerPosition(ledgerId, ESTIMATES, 'decisions');

/** Cells of estimates. @param addends a query of `ADDENDS` */
function cellsOf(addends: Sql): Sql {
  return sql`
    select hour, agent_id, action_type, variant, ${TRIMMED} from (
      select date_trunc('hour', a."timestamp")::timestamptz(0) as hour, a.agent_id, a.action_type,
        a.variant, ${SUMMED}
      from (${addends}) a group by 1, 2, 3, 4
    ) s`;
}

/**
 * Stores the first estimates of all decisions of a part of the chain and adds them to the cells. One that is stored already
 * stays as it is, and is added.
 */
export async function storeFirst(
  tx: LedgerWriter,
  which: WhichDecisions,
  rows: readonly NewEstimate[],
): Promise<void> {
  // A server reads the table as it was before the statement, and a cluster as it is after the insertion. The id is a parameter,
  // unlike elsewhere: sent to the node as a whole, Citus 13.2 mixes up the columns of the first insertion.
  const { text, values } = sql`
    with inserted as (${insertion(tx.ledgerId, rows)} returning e.seq, ${ADDENDS})
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, variant, ${SUMS})
    select ${tx.ledgerId}, cells.* from (${cellsOf(sql`
      select ${ADDENDS} from liability_estimates e
      where e.ledger_id = ${tx.ledgerId} and ${isAmong(sql`e.seq`, which)}
        and not exists (select from inserted i where i.seq = e.seq)
      union all
      select ${ADDEND_NAMES} from inserted`)}) cells
    on conflict (ledger_id, hour, agent_id, action_type, variant) do update set ${ADDED}`;
  await tx.query({ name: 'store-first-estimates', text, values });
}

/**
 * Takes current estimates out of the cells and puts new ones in, for decisions that are in the cells. The
 * version may have changed, and with it the cell.
 */
export async function changeCells(tx: LedgerWriter, rows: readonly Reestimate[]): Promise<void> {
  const { text, values } = sql`
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, variant, ${SUMS})
    select own.ledger_id, hour, agent_id, action_type, variant, ${TRIMMED}
    from ${ownRow(tx.ledgerId)} as own, (
      select date_trunc('hour', e."timestamp") as hour, e.agent_id, e.action_type, m.variant,
        sum(m.sign) as decisions, sum(m.sign * e.confidence::numeric) as confidence,
        coalesce(sum(m.sign) filter (where e.oversight <> 'none'), 0) as overseen,
        sum(m.sign * m.exposure) as exposure, sum(m.sign * m.realised) as realised,
        sum(m.sign * (m.exposure - m.realised) * (m.exposure - m.realised)) as squares,
        sum(m.sign * m.stake) as stake, sum(m.sign * m.unconverted) as unconverted,
        sum(m.sign * m.events::numeric) as events,
        sum(m.sign * m.events::numeric * m.events::numeric) as event_squares,
        sum(m.sign * m.sizes) as sizes, sum(m.sign * m.denied::integer) as denied
      from unnest(
        ${float8Array(rows, ({ seq }) => seq)}::float8[],
        ${textArray(rows, ({ variant }) => variant)}::text[],
        ${textArray(rows, ({ estimate }) => estimate.exposure)}::text[],
        ${textArray(rows, ({ estimate }) => estimate.realised)}::text[],
        ${textArray(rows, ({ stake }) => numericText(stake))}::text[],
        ${float8Array(rows, ({ estimate }) => estimate.unconverted)}::float8[],
        ${float8Array(rows, ({ events }) => events)}::float8[],
        ${textArray(rows, ({ sizes }) => numericText(sizes))}::text[],
        ${float8Array(rows, ({ isDenied }) => (isDenied ? 1 : 0))}::float8[]
      ) as n (seq, variant, exposure, realised, stake, unconverted, events, sizes, denied)
      join liability_estimates e on e.ledger_id = ${tx.ledgerId} and e.seq = n.seq::bigint,
      lateral (values
        (-1, e.variant, e.exposure, e.realised, e.stake, e.unconverted, e.events, e.sizes, e.denied),
        (1, n.variant, n.exposure::numeric, n.realised::numeric, n.stake::numeric, n.unconverted::integer,
          n.events, n.sizes::numeric, n.denied::integer::boolean)
      ) as m (sign, variant, exposure, realised, stake, unconverted, events, sizes, denied)
      where e.seq <= ${summedSeq(tx.ledgerId)}
      group by 1, 2, 3, 4
    ) s
    on conflict (ledger_id, hour, agent_id, action_type, variant) do update set ${ADDED}`;
  await tx.query({ name: 'change-cells', text, values });
}

/** Deletes the cells that decisions (seqs) left empty when their version changed. */
export async function dropEmptyCells(tx: LedgerWriter, seqs: readonly number[]): Promise<void> {
  await tx.query(sql`
    delete from exposure_cells c using liability_estimates e
    where c.ledger_id = ${tx.ledgerId} and c.decisions = 0 and e.ledger_id = ${tx.ledgerId}
      and e.seq = any(${seqs}::bigint[]) and c.hour = date_trunc('hour', e."timestamp")
      and c.agent_id = e.agent_id and c.action_type = e.action_type`);
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
    select ledger_id, ${day}::date, agent_id, action_type, ${currency}, sum(decisions),
      sum(exposure), sum(realised)
    from exposure_cells where ledger_id = ${tx.ledgerId} group by ledger_id, agent_id, action_type
    on conflict do nothing`);
}

/** The hour (ms) of the last one of some decisions after an hour (ms); null if there are fewer. */
export async function selectEndOfHours(
  ledger: LedgerReader,
  after: number | null,
  count: number,
): Promise<number | null> {
  const [row] = await ledger.query<{ hour: number }>(sql`
    select (extract(epoch from date_trunc('hour', d."timestamp")) * 1000)::bigint as hour
    from decisions d
    where d.ledger_id = ${ledger.ledgerId}${inHours(sql`d."timestamp"`, { after, until: null })}
    order by d."timestamp", d.decision_id offset ${count - 1} limit 1`);
  return row?.hour ?? null;
}

const HOUR_MS = 3_600_000;

/** @param time a column @param hours their starts, ms */
function inHours(time: Sql, { after, until }: KeyRange<number>): Sql {
  const later = after === null ? empty : sql` and ${time} >= ${instant(after + HOUR_MS)}`;
  const earlier = until === null ? empty : sql` and ${time} < ${instant(until + HOUR_MS)}`;
  return sql`${later}${earlier}`;
}

export const CELLS = new DerivedRows('exposure_cells', {
  key: ['hour', 'agent_id', 'action_type', 'variant'],
  values: [
    ...['decisions', 'confidence', 'overseen', 'exposure', 'realised', 'squares', 'stake'],
    ...['unconverted', 'events', 'event_squares', 'sizes', 'denied'],
  ],
});

/** Adds up the estimates of some hours (ms) again and compares the sums with the cells. */
export async function compareCells(
  ledger: LedgerReader,
  hours: KeyRange<number>,
): Promise<RowComparison> {
  const sums = cellsOf(sql`
    select ${ADDENDS}
    from decisions d
    join liability_estimates e on e.ledger_id = ${ledger.ledgerId} and e.seq = d.seq
    where d.ledger_id = ${ledger.ledgerId}${inHours(sql`d."timestamp"`, hours)}
      and d.seq <= ${summedSeq(ledger.ledgerId)}`);
  return CELLS.compare(ledger, sums, sql`true${inHours(sql`hour`, hours)}`);
}
