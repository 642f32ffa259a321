import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** Lets whoever compared features before notice that some of them were made again. */
export async function countErasure(tx: Queryable, { ledgerId }: Scope): Promise<void> {
  await tx.query(sql`
    update attribution_states set erasures = erasures + 1 where ledger_id = ${ledgerId}`);
}
