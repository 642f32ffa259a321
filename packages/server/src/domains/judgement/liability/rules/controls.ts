import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { Oversight } from './experience.js';
import { lossRate, type Tally } from './frequency.js';
import { isEnough, learnFactors, type Reference, within } from './learned-factors.js';

/** Number of confidence bins in which outcomes are counted. */
export const CONFIDENCE_BINS = 10;

export function confidenceBin(confidence: number): number {
  return Math.min(CONFIDENCE_BINS - 1, Math.floor(confidence * CONFIDENCE_BINS));
}

/**
 * The factor of an agent's confidence on the odds of a loss. It halves them for each step above the
 * neutral confidence, unless the outcomes of its bin say otherwise. It never rises with confidence.
 * @param bins outcomes of each bin, in ascending order of confidence
 */
export function confidenceFactor(
  { neutral, halving, least, most }: LiabilitySettings['confidence'],
  bins: readonly Tally[],
  reference: Reference,
): (confidence: number) => number {
  const limits = { low: least, high: most };
  const learned = learnFactors(bins, reference, limits);
  return (confidence) => {
    const assumed = within(2 ** ((neutral - confidence) / halving), limits);
    return within(assumed, learned[confidenceBin(confidence)] ?? limits);
  };
}

/** Oversight is assumed to prevent at most seven of ten losses, even if a sample shows more. */
const OVERSIGHT_LIMITS = { low: 0.3, high: 1 };

/**
 * The factors of a human in the loop and of a reviewer on the odds of a loss, relative to decisions
 * without oversight. The factor of a reviewer is never above that of a human in the loop.
 * @param expected loss rate before any experience: weighted as one outcome, it keeps the rate without
 *   oversight above 0
 */
export function humanFactors(
  assumed: LiabilitySettings['oversight'],
  { none, human_in_loop, reviewer }: Readonly<Record<Oversight, Tally>>,
  expected: Reference,
): Readonly<Record<Oversight, number>> {
  if (!isEnough(none)) return { none: 1, ...assumed };
  const { rate } = lossRate(none, expected.rate, 1);
  const [human = OVERSIGHT_LIMITS, named = OVERSIGHT_LIMITS] = learnFactors(
    [human_in_loop, reviewer],
    { ...expected, rate },
    OVERSIGHT_LIMITS,
  );
  return {
    none: 1,
    human_in_loop: within(assumed.human_in_loop, human),
    reviewer: within(assumed.reviewer, named),
  };
}
