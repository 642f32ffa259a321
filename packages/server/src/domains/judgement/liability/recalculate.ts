import { isDeepStrictEqual } from 'node:util';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { withdrawAnnouncements } from '../../log/announcements/index.js';
import { estimateRecorded } from './first-estimates.js';
import { currentEstimationModel, openNamed } from './models.js';
import { riskOf } from './recorded-risk.js';
import { reestimate, replaceEstimate } from './reestimate.js';
import { insertEstimates, updateEstimates } from './store/estimates.js';
import { lockLiabilityState } from './store/liability-states.js';
import { deleteAllocations, insertAllocations } from './store/link-allocations.js';
import { selectDecisionSnapshots, selectSubjects } from './store/subjects.js';

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

/**
 * The first estimate was told, but is not stored, and cannot be made again once its facts are erased. What is left is
 * stored as the next revision, so that no two estimates have one number.
 */
async function forgetUnstored(
  tx: LedgerWriter,
  seq: number,
  change: () => Promise<void>,
): Promise<void> {
  const before = await readFacts(tx, seq);
  await change();
  const after = await readFacts(tx, seq);
  if (before === null || after === null || isDeepStrictEqual(before.risk, after.risk)) return;
  const asOf = tx.clock.now();
  const model = await currentEstimationModel(tx, asOf);
  const risk = riskOf(model, after.row);
  const left = estimateRecorded(model, after.row, risk, { revision: 1, asOf });
  await insertEstimates(tx, [left]);
  await updateEstimates(tx, model.snapshotId, [left], asOf);
}

/** What a decision states about its risk, read as its first estimate reads it; null if its snapshot is gone. */
async function readFacts(tx: LedgerWriter, seq: number) {
  const rows = await selectDecisionSnapshots(tx, { seqs: [seq] }, 0);
  const models = await openNamed(tx, rows);
  const [row] = rows;
  const model = row === undefined ? undefined : models.get(row.estimate_snapshot);
  return row === undefined || model === undefined ? null : { row, risk: riskOf(model, row) };
}
