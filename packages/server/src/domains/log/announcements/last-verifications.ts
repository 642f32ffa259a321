import type { LastVerifications } from '@decision-ledger/contract/chain';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { ChainName } from '../../../platform/chain/head.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { selectVerifications } from './store/verifications.js';

/** The last verification of each whole chain; null for a chain that was never verified. */
export async function readLastVerifications(ledger: LedgerReader): Promise<LastVerifications> {
  const rows = await selectVerifications(ledger);
  const last = (chain: ChainName) => {
    const row = rows.find((each) => each.chain === chain);
    if (row === undefined) return null;
    return {
      is_valid: row.is_valid,
      records_checked: row.records_checked,
      verification_timestamp: formatTimestamp(row.verified_at),
      erased_fields: row.erased_fields,
      head: { seq: row.head_seq, hash: row.head_hash },
    };
  };
  return { decisions: last('decisions'), activity: last('activity') };
}
