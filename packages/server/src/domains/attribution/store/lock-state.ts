import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { type AttributionState, NOTHING_EXTRACTED } from './select-state.js';

/** Locks how far a ledger's decisions were extracted, and tells it. */
export async function lockState(tx: Queryable, { ledgerId }: Scope): Promise<AttributionState> {
  await tx.query(sql`
    insert into attribution_states (ledger_id, features_seq) values (${ledgerId}, 0)
    on conflict (ledger_id) do nothing`);
  const [row] = await tx.query<AttributionState>(sql`
    select features_seq, erasures from attribution_states where ledger_id = ${ledgerId} for update`);
  return row ?? NOTHING_EXTRACTED;
}
