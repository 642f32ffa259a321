import { lockHead } from '../../../platform/chain/lock-head.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Ledger, LedgerWriter } from '../../../platform/ledger.js';
import { recordActivity } from '../../log/activity/index.js';
import type { RecordHooks } from '../hooks/index.js';
import { countEvents } from './count-events.js';
import { selectLiveIds } from './store/financial-events.js';

/** Events per transaction. Changes of the ledger's links and events wait for its lock. */
const STEP = 250;

/**
 * Gives all live events the sign that follows from the current settings, and lets those wait to be scored
 * whose suggestions need another link type. Repeating it changes nothing, so an interrupted run starts again.
 */
export async function recountEvents(
  ledger: Ledger,
  hooks: RecordHooks,
  signal: AbortSignal,
): Promise<void> {
  let after: string | null = null;
  do {
    after = await ledger.write((tx) => recountStep(tx, hooks, after));
  } while (after !== null && !signal.aborted);
}

/** @returns the last event of the step (UUID); null after the last step */
async function recountStep(
  tx: LedgerWriter,
  hooks: RecordHooks,
  after: string | null,
): Promise<string | null> {
  await lockHead(tx, 'activity');
  const eventIds = await selectLiveIds(tx, after, STEP);
  const last = eventIds.at(-1);
  if (last === undefined) return null;
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
  await hooks.signsApplied(tx, eventIds);
  return last;
}
