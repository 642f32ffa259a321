import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** @param document JSON text */
export async function upsertSettings(
  tx: Queryable,
  { ledgerId }: Scope,
  document: string,
  updatedAt: number,
): Promise<void> {
  await tx.query(sql`
    insert into settings (ledger_id, document, updated_at)
    values (${ledgerId}, ${document}, to_timestamp(${updatedAt}::bigint / 1000.0))
    on conflict (ledger_id) do update
      set document = excluded.document, updated_at = excluded.updated_at`);
}
