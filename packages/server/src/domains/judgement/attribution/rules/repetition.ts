import type { ComparedDecision } from './compared.js';
import type { SharedValues } from './shared-values.js';

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
