import { lockHead } from '../../../platform/chain/head.js';
import { noteProgress, selectDueFailures } from '../../../platform/followers/due-work.js';
import type { DueFollower } from '../../../platform/followers/follower.js';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { RECOUNTS } from '../../access/settings/index.js';
import { recordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { countEvents } from './count-events.js';
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
    isLong: true,
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
