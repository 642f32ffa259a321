import type { LedgerWriter } from '../../../platform/ledger.js';
import { readSettings } from '../../access/settings/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { countedAmount } from '../money-signs/index.js';
import { selectSigned, updateCounted } from './store/counted-amounts.js';

/**
 * Updates the counted amounts of events after their links changed, and all that follows from both, in the
 * same transaction. The caller holds the lock on the activity of the ledger.
 * @param eventIds UUIDs
 */
export async function updateMoney(
  tx: LedgerWriter,
  hooks: RecordHooks,
  eventIds: readonly string[],
): Promise<void> {
  if (eventIds.length === 0) return;
  await countEvents(tx, eventIds);
  await hooks.moneyChanged(tx, eventIds);
}

/**
 * Gives events the sign that follows from their links and from the settings. The caller holds the lock on
 * the activity of the ledger, so that the settings cannot change in between.
 * @param eventIds UUIDs
 * @returns the events whose counted amount changed
 */
export async function countEvents(
  tx: LedgerWriter,
  eventIds: readonly string[],
): Promise<string[]> {
  const rows = await selectSigned(tx, eventIds);
  if (rows.length === 0) return [];
  const { attribution } = await readSettings(tx);
  const changed = rows.flatMap((row) => {
    const counted_amount = countedAmount(attribution, row, row.human);
    return counted_amount === row.counted_amount
      ? []
      : [{ event_id: row.event_id, counted_amount }];
  });
  await updateCounted(tx, changed);
  return changed.map(({ event_id }) => event_id);
}
