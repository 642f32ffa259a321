import { Big } from 'big.js';
import { addLoss, joinLosses, type Losses, noLosses } from './losses.js';

/** A decision to add to the sums. Amounts are decimal text in the base currency. */
export interface InsuredDecision {
  /** UUID. */
  readonly decision_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly overseen: boolean;
  /** Its estimate, including realised losses; null without an estimate. */
  readonly exposure: string | null;
  /** Realised losses in the estimate. */
  readonly realised: string | null;
  /** Sum of its confirmed losses; null if no rate converts one of them. */
  readonly loss: string | null;
}

/** Sums over the decisions of an action type, or of several. */
export interface LossExperience {
  decisions: number;
  overseen: number;
  /** Counts by tenths of confidence; 1 is in the last. */
  readonly confidence: number[];
  /** Without realised losses, which could reveal single losses. */
  expected: Big;
  /** Losses that can be converted. */
  readonly losses: Losses;
  /** Number of losses that no rate converts. */
  unconverted: number;
}

const CONFIDENCE_BINS = 10;

export function noExperience(): LossExperience {
  return {
    decisions: 0,
    overseen: 0,
    confidence: new Array<number>(CONFIDENCE_BINS).fill(0),
    expected: new Big(0),
    losses: noLosses(),
    unconverted: 0,
  };
}

export function addDecision(sums: LossExperience, decision: InsuredDecision): void {
  const bin = Math.min(CONFIDENCE_BINS - 1, Math.floor(decision.confidence * CONFIDENCE_BINS));
  sums.decisions += 1;
  if (decision.overseen) sums.overseen += 1;
  sums.confidence[bin] = (sums.confidence[bin] ?? 0) + 1;
  sums.expected = sums.expected.plus(expectedOf(decision));
  if (decision.loss === null) sums.unconverted += 1;
  else if (new Big(decision.loss).gt(0)) addLoss(sums.losses, new Big(decision.loss));
}

function expectedOf({ exposure, realised }: InsuredDecision): Big {
  const expected = new Big(exposure ?? 0).minus(realised ?? 0);
  return expected.lt(0) ? new Big(0) : expected;
}

export function joinExperience(all: readonly LossExperience[]): LossExperience {
  const sums = noExperience();
  for (const one of all) {
    sums.decisions += one.decisions;
    sums.overseen += one.overseen;
    for (const [bin, count] of one.confidence.entries()) {
      sums.confidence[bin] = (sums.confidence[bin] ?? 0) + count;
    }
    sums.expected = sums.expected.plus(one.expected);
    joinLosses(sums.losses, one.losses);
    sums.unconverted += one.unconverted;
  }
  return sums;
}
