import { DEFAULT_SETTINGS } from '@decision-ledger/contract/settings';
import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import { type Scope, type StoredScope, toScope } from '../../../platform/scope.js';

/**
 * Every ledger whose last nightly run that is complete is from before a day (`2026-04-16`), or left
 * estimates that are not in the base currency of the settings.
 */
export async function selectDueLedgers(db: Queryable, day: string): Promise<Scope[]> {
  const rows = await db.query<StoredScope>(sql`
    select org_id, ledger_id, mode from ledgers l
    where not exists (select from liability_states s
      left join settings d on d.ledger_id = s.ledger_id
      where s.ledger_id = l.ledger_id and s.completed_day >= ${day}::date and s.currency =
        coalesce(d.document::json ->> 'base_currency', ${DEFAULT_SETTINGS.base_currency}))`);
  return rows.map(toScope);
}
