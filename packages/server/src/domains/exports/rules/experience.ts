import { Big } from 'big.js';

/** What a decision adds to the sums. Amounts are decimal text in the base currency. */
export interface InsuredDecision {
  /** UUID. */
  readonly decision_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly overseen: boolean;
  /** Its estimate; null where there is none. */
  readonly exposure: string | null;
  /** What its confirmed losses come to; null where no rate converts one of them. */
  readonly loss: string | null;
}

/** Sums over the decisions of an action type, or of several. */
export interface Experience {
  decisions: number;
  overseen: number;
  /** By tenths of confidence; 1 is in the last. */
  readonly confidence: number[];
  exposure: Big;
  /** What each loss came to. */
  losses: Big[];
  /** Losses that no rate converts. */
  unconverted: number;
}

const CONFIDENCE_BINS = 10;

export function noExperience(): Experience {
  return {
    ...{ decisions: 0, overseen: 0, exposure: new Big(0), losses: [], unconverted: 0 },
    confidence: new Array<number>(CONFIDENCE_BINS).fill(0),
  };
}

export function addDecision(sums: Experience, decision: InsuredDecision): void {
  const bin = Math.min(CONFIDENCE_BINS - 1, Math.floor(decision.confidence * CONFIDENCE_BINS));
  sums.decisions += 1;
  if (decision.overseen) sums.overseen += 1;
  sums.confidence[bin] = (sums.confidence[bin] ?? 0) + 1;
  sums.exposure = sums.exposure.plus(decision.exposure ?? 0);
  if (decision.loss === null) sums.unconverted += 1;
  else if (new Big(decision.loss).gt(0)) sums.losses.push(new Big(decision.loss));
}

export function joinExperience(all: readonly Experience[]): Experience {
  const sums = noExperience();
  for (const one of all) {
    sums.decisions += one.decisions;
    sums.overseen += one.overseen;
    for (const [bin, count] of one.confidence.entries()) {
      sums.confidence[bin] = (sums.confidence[bin] ?? 0) + count;
    }
    sums.exposure = sums.exposure.plus(one.exposure);
    sums.losses = sums.losses.concat(one.losses);
    sums.unconverted += one.unconverted;
  }
  return sums;
}
