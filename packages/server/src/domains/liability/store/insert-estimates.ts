import sql from 'sql-template-tag';
import {
  float8Array,
  textArray,
  timestampArray,
  uuidArray,
} from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { Oversight } from '../rules/estimator.js';
import type { StatedAmount } from '../rules/risk.js';
import { FIGURES, type Figures, figureArrays } from './figure-arrays.js';

/** The first estimate of a decision, with the facts that it follows from. */
export interface NewEstimate extends Figures {
  readonly seq: number;
  /** UUID. */
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
  readonly confidence: number;
  readonly oversight: Oversight;
  readonly stated: StatedAmount | null;
  readonly snapshotId: number;
}

export async function insertEstimates(
  tx: Queryable,
  { ledgerId }: Scope,
  rows: readonly NewEstimate[],
): Promise<void> {
  const { text, values } = sql`
    insert into liability_estimates (ledger_id, seq, decision_id, agent_id, action_type,
      "timestamp", confidence, oversight, stated_amount, stated_currency, revision, snapshot_id,
      estimated_at, exposure, low, high, base_rate, confidence_factor, human_factor,
      loss_probability, amount_at_risk, amount_basis, severity, stake, open_share, realised,
      unconverted)
    select ${ledgerId}, seq::bigint, decision_id, agent_id, action_type, occurred_at, confidence,
      oversight, stated_amount::numeric, stated_currency, 0, snapshot_id::integer, estimated_at,
      exposure::numeric, low::numeric, high::numeric, base_rate, confidence_factor, human_factor,
      loss_probability, amount_at_risk::numeric, amount_basis, severity, stake::numeric,
      open_share, realised::numeric, unconverted::integer
    from unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${uuidArray(rows, ({ decisionId }) => decisionId)}::uuid[],
      ${textArray(rows, ({ agentId }) => agentId)}::text[],
      ${textArray(rows, ({ actionType }) => actionType)}::text[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${float8Array(rows, ({ confidence }) => confidence)}::float8[],
      ${textArray(rows, ({ oversight }) => oversight)}::text[],
      ${textArray(rows, ({ stated }) => stated?.amount ?? null)}::text[],
      ${textArray(rows, ({ stated }) => stated?.currency ?? null)}::text[],
      ${float8Array(rows, ({ snapshotId }) => snapshotId)}::float8[],
      ${timestampArray(rows, ({ estimate }) => estimate.estimated_at)}::timestamptz[],
      ${figureArrays(rows)}
    ) as row (seq, decision_id, agent_id, action_type, occurred_at, confidence, oversight,
      stated_amount, stated_currency, snapshot_id, estimated_at, ${FIGURES})
    on conflict (ledger_id, seq) do nothing`;
  await tx.query({ name: 'insert-estimates', text, values });
}
