import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

export interface SettingsRow {
  readonly document: string;
  /** ms. */
  readonly updated_at: number;
}

export async function selectSettingsRow(ledger: LedgerReader): Promise<SettingsRow | null> {
  const [row] = await ledger.query<SettingsRow>(sql`
    select document, (extract(epoch from updated_at) * 1000)::bigint as updated_at
    from settings where ledger_id = ${ledger.ledgerId}`);
  return row ?? null;
}
