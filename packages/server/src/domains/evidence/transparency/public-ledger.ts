import { notFound } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { Database } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { selectLedger } from './store/leaves.js';

export interface PublicTools {
  readonly db: Database;
  readonly settings: { get(scope: Scope): Promise<Settings> };
}

/**
 * The ledger with a public id, if anybody may read the trees of its logs.
 * @throws LedgerError `not_found`, the same for a ledger that does not exist
 */
export async function findPublicLedger(
  { db, settings }: PublicTools,
  ledger: string,
): Promise<Scope> {
  const uuid = idToUuid('led', ledger);
  const scope = uuid === null ? null : await selectLedger(db, uuid);
  if (scope === null || (await settings.get(scope)).transparency.public !== 'tree') {
    throw notFound('log');
  }
  return scope;
}
