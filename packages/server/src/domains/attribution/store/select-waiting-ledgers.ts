import type { Mode } from '@decision-ledger/contract/permissions';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

interface LedgerRow {
  readonly org_id: string;
  readonly ledger_id: string;
  readonly mode: Mode;
}

/** Every ledger with events that were never correlated. */
export async function selectWaitingLedgers(db: Queryable): Promise<Scope[]> {
  const rows = await db.query<LedgerRow>(sql`
    select org_id, ledger_id, mode from ledgers l
    where exists (select from financial_events e where e.ledger_id = l.ledger_id
      and e.correlated_at is null and e.deleted_at is null)`);
  return rows.map(({ org_id, ledger_id, mode }) => ({
    orgId: org_id,
    ledgerId: ledger_id,
    mode,
  }));
}
