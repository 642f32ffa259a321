import type { Database } from '../../../platform/database.js';
import type { Ledger } from '../../../platform/ledger.js';
import { selectLedger } from './store/organisations.js';

/**
 * The ledger with an id, of any organisation; null if there is none.
 * @param ledgerId UUID
 */
export async function findLedger(db: Database, ledgerId: string): Promise<Ledger | null> {
  const scope = await selectLedger(db, ledgerId);
  return scope === null ? null : db.ledger(scope);
}
