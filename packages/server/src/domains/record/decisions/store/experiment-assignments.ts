import sql from 'sql-template-tag';
import {
  boolArray,
  float8Array,
  textArray,
  timestampArray,
} from '../../../../platform/binary-array.js';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
import type { Assignment } from '../rules/assignment.js';

/** An assignment with the place of its decision in the chain and its time in ms. */
export interface NewAssignment extends Assignment {
  readonly seq: number;
  readonly timestamp: number;
}

export async function insertAssignments(
  tx: Queryable,
  { ledgerId }: Scope,
  rows: readonly NewAssignment[],
): Promise<void> {
  const { text, values } = sql`
    insert into experiment_assignments (ledger_id, seq, experiment_id, arm, propensity, is_valid,
      "timestamp")
    select ${ledgerId}, seq::bigint, experiment_id, arm, nullif(propensity, 'NaN'), is_valid, occurred_at
    from unnest(
      ${float8Array(rows, ({ seq }) => seq)}::float8[],
      ${textArray(rows, ({ experimentId }) => experimentId)}::text[],
      ${textArray(rows, ({ arm }) => arm)}::text[],
      ${float8Array(rows, ({ propensity }) => propensity ?? Number.NaN)}::float8[],
      ${boolArray(rows, ({ isValid }) => isValid)}::boolean[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[]
    ) as row (seq, experiment_id, arm, propensity, is_valid, occurred_at)`;
  await tx.query({ name: 'insert-assignments', text, values });
}

/**
 * Deletes the assignment of a decision whose metadata is erased. The database function refuses any other.
 * @param seq position of the decision in the chain
 */
export async function callForget(tx: Queryable, { ledgerId }: Scope, seq: number): Promise<void> {
  await tx.query(sql`select forget_assignment(${ledgerId}::uuid, ${seq}::bigint)`);
}
