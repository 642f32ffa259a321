import sql, { raw } from 'sql-template-tag';
import { float8Array, textArray } from '../../../../platform/binary-array.js';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
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

/** Adds estimates to the cells; they must not be in the cells yet. */
export async function addToCells(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<void> {
  await tx.query(sql`
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, variant, ${SUMS})
    select ${ledgerId}, date_trunc('hour', "timestamp"), agent_id, action_type, variant, ${SUMMED}
    from liability_estimates e where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)}
    group by 2, 3, 4, 5
    on conflict (ledger_id, hour, agent_id, action_type, variant) do update set ${ADDED}`);
}

/**
 * Takes current estimates out of the cells and puts new ones in, for decisions up to `rolledSeq`. The
 * version may have changed, and with it the cell.
 */
export async function changeCells(
  tx: Queryable,
  { ledgerId }: Scope,
  rolledSeq: number,
  rows: readonly Reestimate[],
): Promise<void> {
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
      from n join liability_estimates e on e.ledger_id = ${ledgerId} and e.seq = n.seq::bigint
      where e.seq <= ${rolledSeq}
      union all
      select e."timestamp", e.agent_id, e.action_type, n.variant, 1, e.confidence,
        e.oversight, n.exposure::numeric, n.realised::numeric, n.stake::numeric,
        n.unconverted::integer, n.events, n.sizes::numeric, n.denied::integer::boolean
      from n join liability_estimates e on e.ledger_id = ${ledgerId} and e.seq = n.seq::bigint
      where e.seq <= ${rolledSeq}
    )
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, variant, ${SUMS})
    select ${ledgerId}, date_trunc('hour', "timestamp"), agent_id, action_type, variant, sum(sign),
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
  tx: Queryable,
  { ledgerId }: Scope,
  day: string,
  currency: string,
): Promise<void> {
  await tx.query(sql`
    insert into exposure_days (ledger_id, day, agent_id, action_type, currency, decisions,
      exposure, realised)
    select ${ledgerId}, ${day}::date, agent_id, action_type, ${currency}, sum(decisions),
      sum(exposure), sum(realised)
    from exposure_cells where ledger_id = ${ledgerId} group by agent_id, action_type
    on conflict do nothing`);
}
