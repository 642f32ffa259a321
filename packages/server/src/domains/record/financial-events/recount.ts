import { lockHead } from '../../../platform/chain/head.js';
import { noteProgress, selectDueFailures } from '../../../platform/followers/due-work.js';
import type { DueFollower } from '../../../platform/followers/follower.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { RECOUNTS, readSettings } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { countedAmount } from '../money-signs/index.js';
import { selectSigned, updateCounted } from './store/counted-amounts.js';
import { selectLiveIds } from './store/financial-events.js';

/** Events per transaction. Changes of the ledger's links and events wait for its lock. */
const STEP = 250;

/**
 * Gives all live events of a ledger the sign that follows from its changed settings, and lets those wait to be scored
 * whose suggestions need another link type.
 */
export function recounts(hooks: RecordHooks): DueFollower {
  return {
    name: RECOUNTS,
    kind: 'recorder',
    subjects: 'led',
    owns: [],
    step: 1,
    lane: 'long',
    advance: async (_ledger, { due: [ours] }) => ({
      lock: (tx) => lockHead(tx, 'activity'),
      async write(tx, ids) {
        const last = await recountStep(tx, hooks, ours?.progress ?? null);
        if (last === null) return ids;
        await noteProgress(tx, RECOUNTS, tx.ledgerId, last);
        return [];
      },
    }),
  };
}

/** Whether some events of a ledger do not count yet as its settings say, also if the recount failed. */
export async function isRecountPending(ledger: LedgerReader): Promise<boolean> {
  return (await selectDueFailures(ledger, RECOUNTS, ledger.ledgerId)) !== null;
}

/** Whether a recount goes on. What one that failed left is a fault like any other. */
export async function isRecounting(ledger: LedgerReader): Promise<boolean> {
  return (await selectDueFailures(ledger, RECOUNTS, ledger.ledgerId)) === 0;
}

/**
 * @param after the last event (UUID) of the step before
 * @returns the last event of the step; null if it is the last step
 */
async function recountStep(
  tx: LedgerWriter,
  hooks: RecordHooks,
  after: string | null,
): Promise<string | null> {
  const eventIds = await selectLiveIds(tx, after, STEP);
  const changed = await countEvents(tx, eventIds);
  if (changed.length > 0) {
    await hooks.moneyChanged(tx, changed);
    // Sums are cached for each head of this chain.
    await recordActivity(tx, {
      type: 'financial_event.recounted',
      actor: 'settings',
      subject: uuidToId('led', tx.ledgerId),
      data: { financial_event_ids: changed.map((eventId) => uuidToId('evt', eventId)) },
    });
  }
  if (eventIds.length > 0) await hooks.signsApplied(tx, eventIds);
  return eventIds.length < STEP ? null : (eventIds.at(-1) ?? null);
}

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
async function countEvents(tx: LedgerWriter, eventIds: readonly string[]): Promise<string[]> {
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
