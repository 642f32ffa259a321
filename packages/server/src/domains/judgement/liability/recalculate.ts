import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { withdrawAnnouncements } from '../../log/announcements/index.js';
import { isSameRisk } from './estimate-changes.js';
import { readMakeable } from './first-estimates.js';
import { storedUntil } from './known-estimates.js';
import { currentEstimationModel } from './models.js';
import { reestimate, replaceEstimate, replaceFirst } from './reestimate.js';
import { insertEstimates } from './store/estimates.js';
import { deleteAllocations, insertAllocations } from './store/link-allocations.js';
import { lockLiabilityState } from './store/snapshots.js';
import { selectRecorded, selectSubjects } from './store/subjects.js';

/**
 * Updates allocations and estimates after links or counted amounts of some events changed, in the same
 * transaction. All decisions that have or had a share of these events are re-estimated. The caller holds
 * the lock on the activity of the ledger.
 * @param eventIds UUIDs
 */
export async function recalculate(tx: LedgerWriter, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return;
  const asOf = tx.clock.now();
  await lockLiabilityState(tx);
  const before = await deleteAllocations(tx, eventIds);
  const after = await insertAllocations(tx, eventIds);
  const seqs = [...new Set([...before, ...after])].sort((a, b) => a - b);
  if (seqs.length === 0) return;
  const model = await currentEstimationModel(tx, asOf);
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
  await lockLiabilityState(tx);
  const [subject] = await selectSubjects(tx, { seqs: [seq] });
  if (subject === undefined) return forgetUnstored(tx, seq, change);
  await change();
  const { stated_amount, denied, variant } = subject;
  if (stated_amount === null && !denied && variant === '') return;
  const asOf = tx.clock.now();
  const model = await currentEstimationModel(tx, asOf);
  const isReplaced = await replaceEstimate(tx, { model, asOf }, subject);
  if (isReplaced) await withdrawAnnouncements(tx, uuidToId('dec', subject.decision_id));
}

/** What was told, but is not stored, cannot be made again once the facts are erased. */
async function forgetUnstored(
  tx: LedgerWriter,
  seq: number,
  change: () => Promise<void>,
): Promise<void> {
  if (seq <= (await storedUntil(tx))) return forgetLost(tx, seq, change);
  const [before] = await readMakeable(tx, [seq]);
  await change();
  const [left] = await readMakeable(tx, [seq]);
  if (before === undefined || left === undefined) return;
  if (!isSameRisk(left, before)) {
    const asOf = tx.clock.now();
    const model = await currentEstimationModel(tx, asOf);
    await replaceFirst(tx, { model, asOf }, before);
  } else if (left.oversight !== before.oversight || left.confidence !== before.confidence) {
    await insertEstimates(tx, [before]);
  }
}

/** Nothing is known of the facts of a lost estimate. A rebuild makes it of what is left. */
async function forgetLost(
  tx: LedgerWriter,
  seq: number,
  change: () => Promise<void>,
): Promise<void> {
  await change();
  const rows = await selectRecorded(tx, { seqs: [seq] });
  for (const row of rows) await withdrawAnnouncements(tx, uuidToId('dec', row.decision_id));
}
