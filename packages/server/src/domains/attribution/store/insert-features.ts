import sql from 'sql-template-tag';
import { boolArray, textArray, timestampArray, uuidArray } from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface FeatureRow {
  readonly seq: number;
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
  readonly saysItFailed: boolean;
  readonly tokens: readonly number[];
  /** Packed. */
  readonly features: Buffer;
}

export async function insertFeatures(
  tx: Queryable,
  { ledgerId }: Scope,
  rows: readonly FeatureRow[],
): Promise<void> {
  const { text, values } = sql`
    insert into decision_features (ledger_id, seq, decision_id, agent_id, action_type, "timestamp",
      says_it_failed, tokens, features)
    select ${ledgerId}, seq::bigint, decision_id, agent_id, action_type, occurred_at, failed,
      tokens::integer[], decode(features, 'hex')
    from unnest(
      ${textArray(rows, ({ seq }) => String(seq))}::text[],
      ${uuidArray(rows, ({ decisionId }) => decisionId)}::uuid[],
      ${textArray(rows, ({ agentId }) => agentId)}::text[],
      ${textArray(rows, ({ actionType }) => actionType)}::text[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${boolArray(rows, ({ saysItFailed }) => saysItFailed)}::boolean[],
      ${textArray(rows, ({ tokens }) => `{${tokens.join()}}`)}::text[],
      ${textArray(rows, ({ features }) => features.toString('hex'))}::text[]
    ) as row (seq, decision_id, agent_id, action_type, occurred_at, failed, tokens, features)`;
  await tx.query({ name: 'insert-features', text, values });
}
