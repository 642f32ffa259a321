import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import type { LiabilityUpdate } from '@decision-ledger/contract/liability';
import { uuidToId } from '../../../platform/ids.js';
import type { LedgerWriter } from '../../../platform/ledger.js';
import { type Announcement, announce } from '../../log/announcements/index.js';
import { shownFigures } from './describe.js';
import {
  type ChangeOfEstimate,
  changesOf,
  estimateChanges,
  isSameRisk,
  readAgain,
  statedRisk,
  subjectOf,
  type Terms,
} from './estimate-changes.js';
import {
  insertEstimates,
  insertHistory,
  type NewEstimate,
  type Reestimate,
  restoreFacts,
  updateEstimates,
  type WhichDecisions,
} from './store/estimates.js';
import { changeCells, dropEmptyCells } from './store/exposure.js';
import { selectLinkedMoney } from './store/link-allocations.js';
import type { SubjectRow } from './store/subjects.js';

/**
 * Re-estimates decisions. If the exposure changes by a minor unit or more, the previous estimate is kept
 * in the history and the change is announced. A smaller change only updates the estimate.
 * @returns number of announced changes
 */
export async function reestimate(
  tx: LedgerWriter,
  { model, asOf }: Terms,
  which: WhichDecisions,
): Promise<number> {
  const changes = (await estimateChanges(tx, model, asOf, which)).filter(
    ({ subject, next, restsOnRates }) =>
      !isSame(subject, next) ||
      // The same figures do not follow from the other links and the rates of the former snapshot.
      ('seqs' in which && restsOnRates && subject.snapshot_id !== model.snapshotId),
  );
  if (changes.length === 0) return 0;
  const revised = changes.filter(({ isRevised }) => isRevised);
  const announcements = revised.map(({ subject, next }) => describeChange(subject, next));
  const rows = changes.map(({ next }) => next);
  const firsts = changes.flatMap(({ first }) => first ?? []);
  // Sent together, in this order: history and cells need the previous estimates, also those not stored yet.
  const results = await Promise.allSettled([
    insertEstimates(tx, firsts),
    revised.length > 0 &&
      insertHistory(
        tx,
        revised.map(({ subject }) => subject.seq),
      ),
    changeCells(tx, rows),
    updateEstimates(tx, model.snapshotId, rows, asOf),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  await dropEmptied(tx, changes);
  await announce(tx, announcements, asOf);
  return announcements.length;
}

/**
 * Re-estimates a decision of which fields were erased; its previous estimates are not kept. If the facts
 * still follow from the other fields, the estimate stays.
 * @param before the decision before the erasure
 * @returns whether the estimate was replaced
 */
export async function replaceEstimate(
  tx: LedgerWriter,
  { model, asOf }: Terms,
  before: SubjectRow,
): Promise<boolean> {
  const which = { seqs: [before.seq] };
  const left = (await readAgain(tx, model, [before])).get(before.seq);
  if (left !== undefined && isSameRisk(left, statedRisk(before))) {
    await restoreFacts(tx, before);
    return false;
  }
  const changes = await estimateChanges(tx, model, asOf, which, true);
  const rows = changes.map(({ next }) => next);
  await changeCells(tx, rows);
  await updateEstimates(tx, model.snapshotId, rows, asOf);
  await dropEmptied(tx, changes);
  return true;
}

/**
 * The same for a decision whose first estimate was told, but is not stored: what is stored is made from what is left.
 * @param first the estimate before the erasure
 */
export async function replaceFirst(
  tx: LedgerWriter,
  { model, asOf }: Terms,
  first: NewEstimate,
): Promise<void> {
  const subjects = [{ subject: subjectOf(first), first }];
  const money = await selectLinkedMoney(tx, { seqs: [first.seq] });
  for (const { next } of await changesOf(tx, { model, asOf }, { subjects, money }, true)) {
    const { oversight } = first;
    await insertEstimates(tx, [{ ...first, ...next, oversight, snapshotId: model.snapshotId }]);
    await updateEstimates(tx, model.snapshotId, [next], asOf);
  }
}

/** A decision that has another version than before is in another cell. */
async function dropEmptied(tx: LedgerWriter, changes: readonly ChangeOfEstimate[]): Promise<void> {
  const moved = changes.filter(({ subject, next }) => subject.variant !== next.variant);
  if (moved.length > 0)
    await dropEmptyCells(
      tx,
      moved.map(({ next }) => next.seq),
    );
}

const COMPARED = [
  'version',
  'currency',
  'exposure',
  'low',
  'high',
  'own_currency',
  'own_exposure',
  'amount_at_risk',
  'outlier',
  'realised',
  'open_share',
  'unconverted',
] as const;

function isSame(
  before: SubjectRow,
  { reading, variant, isDenied, provenance, estimate }: Reestimate,
): boolean {
  return (
    before.reading === reading &&
    before.variant === variant &&
    before.denied === isDenied &&
    before.provenance === provenance &&
    COMPARED.every((name) => before[name] === estimate[name])
  );
}

function describeChange(before: SubjectRow, { estimate }: Reestimate): Announcement {
  const { version, revision } = estimate;
  const { currency, ...shown } = shownFigures(estimate);
  const previous = shownFigures(before);
  const decision_id = uuidToId('dec', before.decision_id);
  const data: LiabilityUpdate = {
    decision_id,
    expected: roundToMinorUnit(shown.exposure, currency),
    expected_low: roundToMinorUnit(shown.low, currency),
    expected_high: roundToMinorUnit(shown.high, currency),
    currency,
    version,
    revision,
    previous_expected: roundToMinorUnit(previous.exposure, previous.currency),
  };
  return { type: 'liability_estimate.updated', subject: decision_id, data };
}
