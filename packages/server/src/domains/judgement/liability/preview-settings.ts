import { setImmediate as nextTurn } from 'node:timers/promises';
import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import type { ExposurePreview } from '@decision-ledger/contract/dry-run';
import type { Settings } from '@decision-ledger/contract/settings';
import type { Ledger } from '../../../platform/ledger.js';
import { type ChangeOfEstimate, estimateChanges } from './estimate-changes.js';
import { modelOf } from './models.js';
import { type PairSums, PairTotals } from './rules/preview.js';
import { selectLastDecisionSeq } from './store/snapshots.js';
import type { EstimationModel } from './stored-snapshot.js';

/** Decisions that one preview estimates; of a longer ledger, an even sample. */
const MAX_EXAMINED = 20_000;
const STEP = 500;
const MAX_ACTION_TYPES = 200;

/**
 * Estimates the decisions of a ledger with two settings, as of now and with the same experience. Changes
 * nothing. Of a ledger with more than `MAX_EXAMINED` decisions, every k-th is estimated, and the figures
 * are multiplied by what the sample stands for.
 */
export async function previewSettings(
  ledger: Ledger,
  change: { readonly before: Settings; readonly after: Settings },
): Promise<ExposurePreview> {
  const asOf = ledger.clock.now();
  const [before, after] = [
    await modelOf(ledger, change.before),
    await modelOf(ledger, change.after),
  ];
  const head = await selectLastDecisionSeq(ledger);
  const totals = new PairTotals();
  for (const seqs of stepsOf(head)) {
    const [old, next] = [
      await estimateChanges(ledger, before, asOf, { seqs }),
      await estimateChanges(ledger, after, asOf, { seqs }),
    ];
    const bySeq = new Map(next.map((each) => [each.subject.seq, each]));
    for (const each of old) addPair(totals, each, bySeq.get(each.subject.seq));
    await nextTurn();
  }
  const { total } = totals;
  const factor = total.decisions === 0 ? 1 : Math.max(1, head / total.decisions);
  return {
    currency_before: before.currency,
    currency_after: after.currency,
    ...describeSums(total, factor, before, after),
    examined: total.decisions,
    by_action_type: totals
      .ranked()
      .slice(0, MAX_ACTION_TYPES)
      .map(([action_type, sums]) => ({
        action_type,
        ...describeSums(sums, factor, before, after),
      })),
  };
}

/** The seqs to estimate, in steps. */
function* stepsOf(head: number): Generator<number[]> {
  const every = Math.max(1, Math.ceil(head / MAX_EXAMINED));
  for (let first = 1; first <= head; first += STEP * every) {
    const length = Math.min(STEP, Math.floor((head - first) / every) + 1);
    yield Array.from({ length }, (_, n) => first + n * every);
  }
}

function addPair(
  totals: PairTotals,
  { subject, next: old }: ChangeOfEstimate,
  change: ChangeOfEstimate | undefined,
): void {
  // Erased between the two statements; the next preview counts it.
  if (change === undefined) return;
  const [before, after] = [old.estimate, change.next.estimate];
  totals.add({
    actionType: subject.action_type,
    before: before.exposure,
    after: after.exposure,
    isChanged:
      before.currency !== after.currency ||
      roundToMinorUnit(before.exposure, before.currency) !==
        roundToMinorUnit(after.exposure, after.currency),
  });
}

function describeSums(
  sums: PairSums,
  factor: number,
  before: EstimationModel,
  after: EstimationModel,
) {
  return {
    decisions: Math.round(sums.decisions * factor),
    changed: Math.round(sums.changed * factor),
    exposure_before: roundToMinorUnit(sums.before.times(factor).toString(), before.currency),
    exposure_after: roundToMinorUnit(sums.after.times(factor).toString(), after.currency),
  };
}
