import type { Mode } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

interface LedgerRow {
  readonly org_id: string;
  readonly ledger_id: string;
  readonly mode: Mode;
}

/** Every ledger whose settings name an accounting connection. */
export async function selectConnectedLedgers(db: Queryable): Promise<Scope[]> {
  const rows = await db.query<LedgerRow>(sql`
    select l.org_id, l.ledger_id, l.mode from ledgers l
    join settings s on s.ledger_id = l.ledger_id
    where s.document like '%"accounting"%'`);
  return rows.map(({ org_id, ledger_id, mode }) => ({
    orgId: org_id,
    ledgerId: ledger_id,
    mode,
  }));
}
