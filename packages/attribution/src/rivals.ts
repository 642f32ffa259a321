import type { CountedFit } from './amount-evidence.js';
import { statesAmount } from './amount-fit.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import type { SharedValues } from './shared-values.js';

/**
 * The decision that a plain join names: the most equal identifiers, then the equal amount, then the latest
 * before the event; null if no identifier is equal.
 */
export function joinPick(
  { interval }: ComparedEvent,
  all: readonly CountedFit[],
): ComparedDecision | null {
  let best: { readonly decision: ComparedDecision; readonly rank: readonly number[] } | null = null;
  for (const { decision, shared, stated } of all) {
    const equal = shared.matches.equalValues;
    if (equal === 0 || decision.timestamp > interval.to) continue;
    const rank = [equal, Number(stated.fit === 'equal'), decision.timestamp];
    if (best === null || !isBefore(rank, best.rank)) best = { decision, rank };
  }
  return best?.decision ?? null;
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
 */
export function repetitionsOf(all: readonly SharedValues[]): ReadonlySet<ComparedDecision> {
  const repeats = new Set<ComparedDecision>();
  const latest = new Map<string, number>();
  const inTime = all
    .filter(({ isHolder, decision }) => isHolder && !decision.saysItFailed)
    .sort((a, b) => a.decision.timestamp - b.decision.timestamp);
  for (const shared of inTime) {
    const { decision } = shared;
    const name = whatItDoes(shared);
    const before = latest.get(name);
    if (before !== undefined && decision.timestamp - before <= REPEATED_WITHIN_MS) {
      repeats.add(decision);
    }
    latest.set(name, decision.timestamp);
  }
  return repeats;
}

function whatItDoes({ decision: { actionType, features }, matches }: SharedValues): string {
  const ids = matches.ids.map(({ token }) => token).sort((a, b) => a - b);
  const amounts = features.amounts
    .filter(({ isMoney }) => isMoney)
    .map(({ value, isNegative }) => (isNegative ? -value : value))
    .sort((a, b) => a - b);
  return JSON.stringify([actionType, ids, amounts]);
}

/** An amount that more decisions state is that of several cases. */
const FEW_STATING = 8;

/**
 * Those that hold the rarest identifier that is shared. Where none is, those that state the amount, if few do: it is
 * then that of one case.
 */
export function holdersAmong(
  all: readonly CountedFit[],
  amountHolders: number,
): readonly ComparedDecision[] {
  const isShared = all.some(({ shared }) => shared.matches.ids.length > 0);
  const isHolder = ({ shared, fit }: CountedFit): boolean =>
    isShared ? shared.isHolder : amountHolders <= FEW_STATING && statesAmount(fit.fit);
  return all.filter(isHolder).map(({ decision }) => decision);
}

/** The latest holder before the event, of those that had an effect if any did; null if there is none. */
export function latestHolder(
  { interval }: ComparedEvent,
  holders: readonly ComparedDecision[],
  repeats: ReadonlySet<ComparedDecision>,
): ComparedDecision | null {
  const before = holders.filter(({ timestamp }) => timestamp <= interval.to);
  const working = before.filter((one) => !one.saysItFailed && !repeats.has(one));
  return (working.length > 0 ? working : before).reduce(
    (latest: ComparedDecision | null, one) =>
      latest === null || one.timestamp >= latest.timestamp ? one : latest,
    null,
  );
}
