import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { StateRow } from './lock-state.js';

/** Keeps how far the work has come, in a row that is locked. The currency has its own way. */
export async function updateState(
  tx: Queryable,
  { ledgerId }: Scope,
  state: StateRow,
): Promise<void> {
  await tx.query(sql`
    update liability_states set rolled_seq = ${state.rolled_seq},      run_day = ${state.run_day}::date,
      run_as_of = to_timestamp(${state.run_as_of}::bigint / 1000.0),
      run_snapshot = ${state.run_snapshot}, run_after_seq = ${state.run_after_seq},
      run_until_seq = ${state.run_until_seq}, completed_day = ${state.completed_day}::date
    where ledger_id = ${ledgerId}`);
}
