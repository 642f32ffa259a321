import type { FittedAmount } from './amount-fit.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
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

/** A call is tried again, or arrives twice, within this time. */
const REPEATED_WITHIN_MS = 3_600_000;

/**
 * Which holders only repeat an earlier one: the same action on the same things, with the same amounts,
 * shortly after one that did not fail. The first has the effect.
 * @returns for each decision, in their order
 */
export function repetitionsOf(
  decisions: readonly ComparedDecision[],
  shared: readonly SharedValues[],
): boolean[] {
  const repeats = decisions.map(() => false);
  const latest = new Map<string, number>();
  const inTime = decisions
    .map((decision, at) => ({ decision, at }))
    .filter(({ at, decision }) => shared[at]?.isHolder === true && !decision.saysItFailed)
    .sort((a, b) => a.decision.timestamp - b.decision.timestamp || a.at - b.at);
  for (const { decision, at } of inTime) {
    const name = whatItDoes(decision, shared[at]);
    const before = latest.get(name);
    repeats[at] = before !== undefined && decision.timestamp - before <= REPEATED_WITHIN_MS;
    latest.set(name, decision.timestamp);
  }
  return repeats;
}

function whatItDoes({ actionType, features }: ComparedDecision, shared?: SharedValues): string {
  const ids = (shared?.matches.ids ?? []).map(({ token }) => token).sort((a, b) => a - b);
  const amounts = features.amounts
    .filter(({ isMoney }) => isMoney)
    .map(({ value, isNegative }) => (isNegative ? -value : value))
    .sort((a, b) => a - b);
  return JSON.stringify([actionType, ids, amounts]);
}
