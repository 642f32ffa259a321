import sql from 'sql-template-tag';
import { float8Array } from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { FIGURES, type Figures, figureArrays } from './figure-arrays.js';

/** An estimate that takes the place of the one that holds. */
export interface Reestimate extends Figures {
  readonly seq: number;
}

/** @param at ms, when all of them were estimated */
export async function updateEstimates(
  tx: Queryable,
  { ledgerId }: Scope,
  snapshotId: number,
  rows: readonly Reestimate[],
  at: number,
): Promise<void> {
  const { text, values } = sql`
    update liability_estimates e set revision = n.revision::integer, snapshot_id = ${snapshotId},
      estimated_at = to_timestamp(${at}::bigint / 1000.0), exposure = n.exposure::numeric,
      low = n.low::numeric, high = n.high::numeric, base_rate = n.base_rate,
      confidence_factor = n.confidence_factor, human_factor = n.human_factor,
      loss_probability = n.loss_probability, amount_at_risk = n.amount_at_risk::numeric,
      amount_basis = n.amount_basis, severity = n.severity, stake = n.stake::numeric,
      open_share = n.open_share, realised = n.realised::numeric,
      unconverted = n.unconverted::integer
    from unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${float8Array(rows, ({ estimate }) => estimate.revision)}::float8[],
      ${figureArrays(rows)}
    ) as n (seq, revision, ${FIGURES})
    where e.ledger_id = ${ledgerId} and e.seq = n.seq::bigint`;
  await tx.query({ name: 'update-estimates', text, values });
}
