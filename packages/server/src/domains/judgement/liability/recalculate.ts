import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { withdrawAnnouncements } from '../../log/announcements/index.js';
import { currentModel } from './models.js';
import { reestimate, replaceEstimate } from './reestimate.js';
import { lockState } from './store/liability-states.js';
import { deleteAllocations, insertAllocations } from './store/link-allocations.js';
import { selectSubjects } from './store/subjects.js';

/**
 * Updates allocations and estimates after links or counted amounts of some events changed, in the same
 * transaction. All decisions that have or had a share of these events are re-estimated. The caller holds
 * the lock on the activity of the ledger.
 * @param eventIds UUIDs
 */
export async function recalculate(tx: LedgerWriter, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  const asOf = tx.clock.now();
  await lockState(tx);
  const before = await deleteAllocations(tx, eventIds);
  const after = await insertAllocations(tx, eventIds);
  const seqs = [...new Set([...before, ...after])].sort((a, b) => a - b);
  if (seqs.length === 0) return;
  const model = await currentModel(tx, asOf);
  await reestimate(tx, { model, asOf }, { seqs });
}

/**
 * Runs the change that erases fields of a decision, then estimates the decision from what is left of its
 * facts, if they changed. An exposure reveals the amount that it is based on, so earlier estimates are not kept and their
 * announcements are deleted.
 * @param seq of the decision
 */
export async function forgetFacts(
  tx: LedgerWriter,
  seq: number,
  change: () => Promise<void>,
): Promise<void> {
  await lockState(tx);
  const [subject] = await selectSubjects(tx, { seqs: [seq] });
  await change();
  if (subject === undefined) return;
  const { stated_amount, denied, variant } = subject;
  if (stated_amount === null && !denied && variant === '') return;
  const asOf = tx.clock.now();
  const model = await currentModel(tx, asOf);
  const isReplaced = await replaceEstimate(tx, { model, asOf }, subject);
  if (isReplaced) await withdrawAnnouncements(tx, uuidToId('dec', subject.decision_id));
}
