import type { LiabilitySettings } from '@decision-ledger/contract/liability-settings';
import type { Oversight } from './experience.js';
import { lossRate, type Tally } from './frequency.js';
import { isEnough, learnFactors, type Reference, within } from './learned-factors.js';

/** Bins of confidence that outcomes are counted in. */
export const CONFIDENCE_BINS = 10;

export function confidenceBin(confidence: number): number {
  return Math.min(CONFIDENCE_BINS - 1, Math.floor(confidence * CONFIDENCE_BINS));
}

/**
 * What an agent's confidence does to the odds of a loss: halves them for each step above the neutral
 * one, unless the outcomes of its bin say otherwise. More confidence never raises it.
 * @param bins outcomes of each bin, from 0 up
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

/** No oversight is believed to prevent more than seven losses of ten, whatever a sample says. */
const OVERSIGHT_LIMITS = { low: 0.3, high: 1 };

/**
 * What a human or a reviewer does to the odds of a loss, against decisions that nobody looked at.
 * A reviewer never does less than a human who is only said to be there.
 * @param expected loss rate before any experience: with the worth of one outcome it keeps decisions
 *   that nobody looked at from a rate of 0
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
