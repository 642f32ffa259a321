import { notFound } from '@decision-ledger/contract/errors';
import { verifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { ChainName } from '../../../platform/chain/head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type PublishedLog, selectPublishedLog } from './store/published.js';
import { selectLogKey } from './store/tlog-keys.js';
import type { LogRow } from './store/tlogs.js';

/**
 * A log and its last checkpoint.
 * @throws LedgerError `not_found` before the first checkpoint
 */
export async function readPublished(ledger: LedgerReader, chain: ChainName): Promise<PublishedLog> {
  const published = await selectPublishedLog(ledger, chain);
  if (published === null) throw notFound('checkpoint');
  return published;
}

/** The text of the public key of a log. */
export async function readVerifierKey(ledger: LedgerReader, log: LogRow): Promise<string> {
  const { public_key } = await selectLogKey(ledger, log);
  return verifierKeyText(verifierKey(log.origin, public_key));
}
