import sql from 'sql-template-tag';
import { float8Array, textArray } from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { decimal } from '../rules/decimal.js';
import type { EstimateRow } from './estimate-row.js';

/** An estimate that takes the place of the one that holds. */
export interface Reestimate {
  readonly seq: number;
  readonly stake: number;
  readonly estimate: EstimateRow;
}

/** @param at ms, when all of them were estimated */
export async function updateEstimates(
  tx: Queryable,
  { ledgerId }: Scope,
  snapshotId: number,
  rows: readonly Reestimate[],
  at: number,
): Promise<void> {
  const numbers = (value: (estimate: EstimateRow) => number) =>
    float8Array(rows, ({ estimate }) => value(estimate));
  const texts = (value: (estimate: EstimateRow) => string) =>
    textArray(rows, ({ estimate }) => value(estimate));
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
      ${numbers(({ revision }) => revision)}::float8[],
      ${texts(({ exposure }) => exposure)}::text[],
      ${texts(({ low }) => low)}::text[],
      ${texts(({ high }) => high)}::text[],
      ${numbers(({ base_rate }) => base_rate)}::float8[],
      ${numbers(({ confidence_factor }) => confidence_factor)}::float8[],
      ${numbers(({ human_factor }) => human_factor)}::float8[],
      ${numbers(({ loss_probability }) => loss_probability)}::float8[],
      ${texts(({ amount_at_risk }) => amount_at_risk)}::text[],
      ${texts(({ amount_basis }) => amount_basis)}::text[],
      ${numbers(({ severity }) => severity)}::float8[],
      ${textArray(rows, ({ stake }) => decimal(stake))}::text[],
      ${numbers(({ open_share }) => open_share)}::float8[],
      ${texts(({ realised }) => realised)}::text[],
      ${numbers(({ unconverted }) => unconverted)}::float8[]
    ) as n (seq, revision, exposure, low, high, base_rate, confidence_factor, human_factor,
      loss_probability, amount_at_risk, amount_basis, severity, stake, open_share, realised,
      unconverted)
    where e.ledger_id = ${ledgerId} and e.seq = n.seq::bigint`;
  await tx.query({ name: 'update-estimates', text, values });
}
