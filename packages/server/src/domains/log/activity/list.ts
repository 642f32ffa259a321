import type { Activity } from '@decision-ledger/contract/chain';
import { JsonObject } from '@decision-ledger/contract/shared';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { Check } from 'typebox/value';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPageInTurns, type PageRows } from '../../../platform/page.js';
import { type ActivityFilter, type ActivityRecord, selectActivityPage } from './store/activity.js';

/** Changes of a ledger, newest first. */
export async function listActivity(
  ledger: LedgerReader,
  filter: ActivityFilter,
  before: number | null,
  limit: number,
): Promise<PageRows<Activity>> {
  return mapPageInTurns(await selectActivityPage(ledger, filter, before, limit), describe);
}

function describe(row: ActivityRecord): Activity {
  // Unreadable data of a forged record must not fail the whole page.
  const data = legibleValue(row.data, 'data');
  return {
    activity_id: uuidToId('act', row.activity_id),
    seq: row.seq,
    type: row.type,
    actor: row.actor,
    subject: row.subject,
    hash: row.hash,
    prev_hash: row.prev_hash,
    ...(Check(JsonObject, data) && { data }),
    created_at: formatTimestamp(row.created_at),
  };
}
