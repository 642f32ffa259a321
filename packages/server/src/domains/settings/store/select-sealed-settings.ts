import type { Mode } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';

export interface SealedSettingsRow {
  readonly org_id: string;
  readonly ledger_id: string;
  readonly mode: Mode;
  readonly document: string;
}

/** Settings of a few ledgers that hold secrets, to try a master key on. */
export async function selectSealedSettings(
  db: Queryable,
  limit: number,
): Promise<SealedSettingsRow[]> {
  return db.query<SealedSettingsRow>(sql`
    select l.org_id, l.ledger_id, l.mode, s.document
    from settings s join ledgers l on l.ledger_id = s.ledger_id
    where s.document like '%"sealed.1.%' order by s.updated_at desc limit ${limit}`);
}
