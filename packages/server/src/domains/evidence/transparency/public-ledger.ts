import { notFound } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { Database } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { findLedger } from '../../access/organisations/index.js';

export interface PublicTools {
  readonly db: Database;
  readonly settings: { get(scope: Scope): Promise<Settings> };
}

/**
 * The ledger with a public id, if anybody may read the trees of its logs.
 * @throws LedgerError `not_found`, the same for a ledger that does not exist
 */
export async function findPublicLedger({ db, settings }: PublicTools, id: string): Promise<Ledger> {
  const uuid = idToUuid('led', id);
  const ledger = uuid === null ? null : await findLedger(db, uuid);
  if (ledger === null || (await settings.get(ledger.scope)).transparency.public !== 'tree') {
    throw notFound('log');
  }
  return ledger;
}
