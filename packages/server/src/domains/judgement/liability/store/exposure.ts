import sql from 'sql-template-tag';
import { float8Array, textArray } from '../../../../platform/binary-array.js';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import { decimal } from '../rules/amounts.js';
import { isAmong, type Reestimate, type WhichDecisions } from './estimates.js';

/** Adds estimates to the cells; they must not be in the cells yet. */
export async function addToCells(
  tx: Queryable,
  { ledgerId }: Scope,
  which: WhichDecisions,
): Promise<void> {
  await tx.query(sql`
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, decisions, confidence,
      overseen, exposure, realised, squares, stake, unconverted)
    select ${ledgerId}, date_trunc('hour', "timestamp"), agent_id, action_type, count(*),
      sum(confidence), count(*) filter (where oversight <> 'none'), sum(exposure), sum(realised),
      sum((exposure - realised) * (exposure - realised)), sum(stake), sum(unconverted)
    from liability_estimates e where e.ledger_id = ${ledgerId} and ${isAmong(sql`e.seq`, which)}
    group by 2, 3, 4
    on conflict (ledger_id, hour, agent_id, action_type) do update set
      decisions = c.decisions + excluded.decisions, confidence = c.confidence + excluded.confidence,
      overseen = c.overseen + excluded.overseen, exposure = c.exposure + excluded.exposure,
      realised = c.realised + excluded.realised, squares = c.squares + excluded.squares,
      stake = c.stake + excluded.stake, unconverted = c.unconverted + excluded.unconverted`);
}

/** Adds the differences between new and current estimates to the cells, for decisions up to `rolledSeq`. */
export async function changeCells(
  tx: Queryable,
  { ledgerId }: Scope,
  rolledSeq: number,
  rows: readonly Reestimate[],
): Promise<void> {
  const { text, values } = sql`
    insert into exposure_cells as c (ledger_id, hour, agent_id, action_type, decisions, confidence,
      overseen, exposure, realised, squares, stake, unconverted)
    select ${ledgerId}, date_trunc('hour', e."timestamp"), e.agent_id, e.action_type, 0, 0, 0,
      sum(n.exposure::numeric - e.exposure), sum(n.realised::numeric - e.realised),
      sum((n.exposure::numeric - n.realised::numeric) * (n.exposure::numeric - n.realised::numeric)
        - (e.exposure - e.realised) * (e.exposure - e.realised)),
      sum(n.stake::numeric - e.stake), sum(n.unconverted::integer - e.unconverted)
    from unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${textArray(rows, ({ estimate }) => estimate.exposure)}::text[],
      ${textArray(rows, ({ estimate }) => estimate.realised)}::text[],
      ${textArray(rows, ({ stake }) => decimal(stake))}::text[],
      ${float8Array(rows, ({ estimate }) => estimate.unconverted)}::float8[]
    ) as n (seq, exposure, realised, stake, unconverted)
    join liability_estimates e on e.ledger_id = ${ledgerId} and e.seq = n.seq::bigint
    where e.ledger_id = ${ledgerId} and e.seq <= ${rolledSeq}
    group by 2, 3, 4
    on conflict (ledger_id, hour, agent_id, action_type) do update set
      exposure = c.exposure + excluded.exposure, realised = c.realised + excluded.realised,
      squares = c.squares + excluded.squares, stake = c.stake + excluded.stake,
      unconverted = c.unconverted + excluded.unconverted`;
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
