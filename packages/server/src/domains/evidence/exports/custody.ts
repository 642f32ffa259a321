import type { Activity } from '@decision-ledger/contract/chain';
import { LedgerError } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { type Custody, custodyText } from '@decision-ledger/proof/bundle/custody';
import type { BundleFacts } from '@decision-ledger/proof/bundle/manifest';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import type { PageRows, Slice } from '../../../platform/page.js';
import { type ActivityRecord, listActivity, selectFirst } from '../../log/activity/index.js';

/** custody.json, from the record of the request in the chain of activity. */
export async function custodyOf(
  ledger: LedgerReader,
  exportId: string,
  facts: BundleFacts,
): Promise<string> {
  const { seq, actor, created_at } = await readExportRequest(ledger, exportId);
  const custody: Custody = {
    export_id: facts.export_id,
    requested: { activity_seq: seq, at: formatTimestamp(created_at), by: actor },
    made: { version: facts.version },
    sealed: { at: facts.created_at, key_fingerprint: facts.signing_key.fingerprint },
  };
  return custodyText(custody);
}

/**
 * What the chain of activity records of an export: its request, its making and its downloads, newest first.
 * @param exportId public
 */
export function listCustody(
  ledger: LedgerReader,
  exportId: string,
  slice: Slice<number>,
): Promise<PageRows<Activity>> {
  const filter = { type: undefined, subject: exportId, start: undefined, end: undefined };
  return listActivity(ledger, filter, slice);
}

/**
 * The record of the request of an export.
 * @param exportId UUID
 * @throws LedgerError `conflict` if a version of the service took it that recorded no requests
 */
export async function readExportRequest(
  ledger: LedgerReader,
  exportId: string,
): Promise<ActivityRecord> {
  const request = await selectFirst(ledger, 'export.requested', uuidToId('exp', exportId));
  if (request !== null) return request;
  throw new LedgerError('conflict', 'nothing records who requested the export: request it again');
}
