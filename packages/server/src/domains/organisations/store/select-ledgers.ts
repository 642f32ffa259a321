import type { Mode } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';

export interface LedgerRow {
  readonly org_id: string;
  readonly name: string;
  readonly ledger_id: string;
  readonly mode: Mode;
}

/** Every ledger of the installation: for the operator's command line, never for a request. */
export async function selectLedgers(db: Queryable): Promise<LedgerRow[]> {
  return db.query<LedgerRow>(sql`
    select o.org_id, o.name, l.ledger_id, l.mode
    from organisations o join ledgers l on l.org_id = o.org_id
    order by o.created_at, o.org_id, l.mode`);
}
