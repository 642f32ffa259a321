import sql from 'sql-template-tag';
import { float8Array, textArray } from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { decimal } from '../rules/decimal.js';
import type { Reestimate } from './update-estimates.js';

/** Moves the sums by what the new estimates differ from those that hold, as far as these are in them. */
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
