const NEUTRAL_CONFIDENCE = 0.8;
const HALVED_BY = 0.2;
const LEAST = 0.5;
const MOST = 4;

/** What an agent's confidence does to the odds of a loss: half of it for each 0.2 above 0.8. */
export function confidenceFactor(confidence: number): number {
  const factor = 2 ** ((NEUTRAL_CONFIDENCE - confidence) / HALVED_BY);
  return Math.min(MOST, Math.max(LEAST, factor));
}

/** What people see to. A named reviewer is worth more than the flag alone. */
export interface Oversight {
  readonly humanInLoop: boolean;
  readonly hasReviewer: boolean;
}

export function humanFactor({ humanInLoop, hasReviewer }: Oversight): number {
  if (hasReviewer) return 0.7;
  return humanInLoop ? 0.85 : 1;
}
