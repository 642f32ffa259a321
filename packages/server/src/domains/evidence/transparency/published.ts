import { notFound } from '@decision-ledger/contract/errors';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { type PublishedLog, selectPublished } from './store/published.js';
import { selectLogKey } from './store/tlog-keys.js';
import type { LogRow } from './store/tlogs.js';

/**
 * A log and its last checkpoint.
 * @throws LedgerError `not_found` before the first checkpoint
 */
export async function readPublished(
  db: Queryable,
  scope: Scope,
  chain: ChainName,
): Promise<PublishedLog> {
  const published = await selectPublished(db, scope, chain);
  if (published === null) throw notFound('checkpoint');
  return published;
}

/** The text of the public key of a log. */
export async function readVerifierKey(db: Queryable, scope: Scope, log: LogRow): Promise<string> {
  const { public_key } = await selectLogKey(db, scope, log);
  return verifierKeyText(verifierKey(log.origin, public_key));
}
