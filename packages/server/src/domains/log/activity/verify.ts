import { formatTimestamp } from '@decision-ledger/contract/time';
import { type ActivityColumns, activityWalk } from '@decision-ledger/proof/chain';
import { type ChainSource, type RecordToVerify, type Verification, type VerificationProgress, type VerifyRequest, verifyChain } from '../../../platform/chain/verify.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type ActivityRecord, selectActivityRecords } from './store/activity.js';

/** Verifies the chain of activity: entries, links, commitments, columns, head. */
export function verifyActivity(
  ledger: LedgerReader,
  request: VerifyRequest,
  onProgress?: (progress: VerificationProgress) => void,
): Promise<Verification> {
  return verifyChain(ledger, SOURCE, request, onProgress);
}

const SOURCE: ChainSource<ActivityColumns> = {
  chain: 'activity',
  timeColumn: 'created_at',
  walk: (start) => activityWalk(start),
  records: async (ledger, span) => (await selectActivityRecords(ledger, span)).map(readRecord),
};

function readRecord(row: ActivityRecord): RecordToVerify<ActivityColumns> {
  const id = uuidToId('act', row.activity_id);
  return {
    record: {
      seq: row.seq,
      hash: row.hash,
      prevHash: row.prev_hash,
      entry: row.entry,
      columns: {
        activity_id: id,
        type: row.type,
        actor: row.actor,
        subject: row.subject,
        created_at: formatTimestamp(row.created_at),
      },
      disclosures: { data: row.data, when: row.when },
    },
    id,
    epoch: row.epoch,
    finding: null,
    bytes: row.entry.length + (row.data?.length ?? 0) + (row.when?.length ?? 0),
  };
}
