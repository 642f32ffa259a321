import sql from 'sql-template-tag';
import {
  boolArray,
  byteaArray,
  float8Array,
  textArray,
  timestampArray,
  uuidArray,
} from '../../../platform/binary-array.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { ChainedDecision } from '../rules/chain-group.js';

/** Inserts decisions that follow one another in the chain, `firstSeq` the first of them. */
export async function insertDecisions(
  tx: Queryable,
  { ledgerId }: Scope,
  at: { readonly epoch: number; readonly firstSeq: number; readonly createdAt: number },
  rows: readonly ChainedDecision[],
): Promise<void> {
  const { text, values } = sql`
    insert into decisions (ledger_id, seq, epoch, decision_id, agent_id, action_type, confidence,
      human_in_loop, "timestamp", created_at, entry, hash, prev_hash, inputs, outputs,
      alternatives, metadata, terms)
    select ${ledgerId}, ${at.firstSeq}::bigint + place - 1, ${at.epoch}, decision_id, agent_id,
      action_type, confidence, human_in_loop, occurred_at,
      to_timestamp(${at.createdAt}::bigint / 1000.0), entry, hash, prev_hash, inputs, outputs,
      alternatives, metadata, terms::integer[]
    from unnest(
      ${uuidArray(rows, ({ decision }) => decision.decisionId)}::uuid[],
      ${textArray(rows, ({ decision }) => decision.agentId)}::text[],
      ${textArray(rows, ({ decision }) => decision.actionType)}::text[],
      ${float8Array(rows, ({ decision }) => decision.confidence)}::float8[],
      ${boolArray(rows, ({ decision }) => decision.humanInLoop)}::boolean[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${textArray(rows, ({ entry }) => entry)}::text[],
      ${byteaArray(rows, 32, ({ hash }) => hash)}::bytea[],
      ${byteaArray(rows, 32, ({ prevHash }) => prevHash)}::bytea[],
      ${textArray(rows, ({ decision }) => decision.inputs)}::text[],
      ${textArray(rows, ({ decision }) => decision.outputs)}::text[],
      ${textArray(rows, ({ decision }) => decision.alternatives)}::text[],
      ${textArray(rows, ({ decision }) => decision.metadata)}::text[],
      ${textArray(rows, ({ decision }) => decision.terms)}::text[]
    ) with ordinality as row (decision_id, agent_id, action_type, confidence, human_in_loop,
      occurred_at, entry, hash, prev_hash, inputs, outputs, alternatives, metadata, terms, place)`;
  await tx.query({ name: 'insert-decisions', text, values });
}
