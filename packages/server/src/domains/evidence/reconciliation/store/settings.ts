import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

export interface SettingsRow {
  readonly document: string;
  /** ms. */
  readonly updated_at: number;
}

export async function selectSettingsRow(
  db: Queryable,
  { ledgerId }: Scope,
): Promise<SettingsRow | null> {
  const [row] = await db.query<SettingsRow>(sql`
    select document, (extract(epoch from updated_at) * 1000)::bigint as updated_at
    from settings where ledger_id = ${ledgerId}`);
  return row ?? null;
}
