import type { FittedAmount } from './amount-fit.js';
import type { ComparedDecision, ComparedEvent } from './compared.js';
import type { SharedValues } from './shared-values.js';

/**
 * The place of the decision that a plain join names: the most equal identifiers, then the equal amount,
 * then the latest before the event; -1 if no identifier is equal.
 */
export function joinPick(
  { interval }: ComparedEvent,
  decisions: readonly ComparedDecision[],
  shared: readonly SharedValues[],
  fits: readonly FittedAmount[],
): number {
  let best = -1;
  let bestRank: readonly number[] = [];
  decisions.forEach(({ timestamp }, at) => {
    const equal = shared[at]?.matches.equalValues ?? 0;
    if (equal === 0 || timestamp > interval.to) return;
    const rank = [equal, Number(fits[at]?.fit === 'equal'), timestamp];
    if (best < 0 || !isBefore(rank, bestRank)) {
      best = at;
      bestRank = rank;
    }
  });
  return best;
}

/** Compares in the order of the parts. */
function isBefore(one: readonly number[], other: readonly number[]): boolean {
  for (const [place, value] of one.entries()) {
    const difference = value - (other[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
