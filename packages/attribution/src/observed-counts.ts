import { isReadOnly } from './actions.js';
import type { TypeLevel } from './levels.js';
import type {
  AmountKnowledge,
  EventObservation,
  Identified,
  KeyKnowledge,
  LagKnowledge,
  PairKnowledge,
} from './snapshot.js';

/** Evidence of one action type and event type. */
export interface PairCounts {
  readonly action_type: string;
  readonly event_type: string;
  /** How often it was the cause, and how often it would have been by chance. */
  causes: number;
  expected: number;
  lags: number;
  sum: number;
  squares: number;
}

export type PairTable = Map<string, PairCounts>;

export function pairOf(table: PairTable, actionType: string, eventType: string): PairCounts {
  const name = JSON.stringify([actionType, eventType]);
  let pair = table.get(name);
  if (pair === undefined) {
    const names = { action_type: actionType, event_type: eventType };
    pair = { ...names, causes: 0, expected: 0, lags: 0, sum: 0, squares: 0 };
    table.set(name, pair);
  }
  return pair;
}

export function addLag(pair: PairCounts, logHours: number, weight: number): void {
  pair.lags += weight;
  pair.sum += weight * logHours;
  pair.squares += weight * logHours ** 2;
}

/**
 * What an observation counts: an identifier and an amount that agree are surer than an identifier alone,
 * and one whose amount differs is more often a coincidence.
 */
const COUNTS = { equal: 1, none: 0.5, other: 0.2 };
/**
 * A single holder differs only from decisions nearby: it says little of which of several steps moves the
 * money.
 */
const NEARBY = 0.25;
/** Observations of an event type count at most this much together, so that reviews can correct them. */
const MAX_OBSERVED = 60;

/** Events whose cause is plain teach which actions lead to which events, and how late. */
export function countObservations(
  table: PairTable,
  observations: readonly EventObservation[],
): void {
  const totals = new Map<string, number>();
  for (const { event_type, identified } of observations) {
    if (identified === null) continue;
    const count = countOf(identified);
    totals.set(event_type, (totals.get(event_type) ?? 0) + count);
  }
  const singleOf = shareOfSingles(observations);
  for (const { event_type, identified } of observations) {
    if (identified === null) continue;
    const scale = Math.min(1, MAX_OBSERVED / (totals.get(event_type) ?? 1));
    const lagWeight = countOf(identified) * scale;
    const weight =
      lagWeight * (identified.contrast === 'nearby' ? NEARBY * singleOf(event_type) : 1);
    const total = identified.among.reduce((sum, [, count]) => sum + count, 0);
    for (const [actionType, count] of identified.among) {
      pairOf(table, actionType, event_type).expected += (weight * count) / total;
    }
    const pair = pairOf(table, identified.action_type, event_type);
    pair.causes += weight;
    addLag(pair, identified.log_hours, lagWeight);
  }
}

/** An event that few decisions name, but not only one. */
const SEVERAL = 0.5;

/**
 * Of the events of a type whose transaction few decisions name, the share that one alone names. Where several steps
 * usually name it, the events that one alone names are the odd ones, of which a step is missing.
 */
function shareOfSingles(observations: readonly EventObservation[]): (eventType: string) => number {
  const types = new Map<string, { singles: number; all: number }>();
  for (const { event_type, identified, transaction = 0 } of observations) {
    const isSingle = identified?.contrast === 'nearby';
    if (!isSingle && transaction < SEVERAL) continue;
    const counts = types.get(event_type) ?? { singles: 0, all: 0 };
    counts.singles += Number(isSingle);
    counts.all += 1;
    types.set(event_type, counts);
  }
  return (eventType) => {
    const { singles, all } = types.get(eventType) ?? { singles: 0, all: 0 };
    return all === 0 ? 1 : singles / all;
  };
}

const countOf = ({ contrast, amount }: Identified): number =>
  contrast === 'holders' || amount === 'chosen' ? COUNTS.equal : COUNTS[amount];

/** Pseudo-counts of "as often as by chance". */
const CAUSES_PRIOR = 4;
const MAX_COMPATIBILITY = 2.5;
/** A read-only action starts this much lower, which the counts take back where they differ. */
const READ_ONLY_PRIOR = 0.2;
/** Delays that the standard deviation of a pair starts with, and that deviation. */
const PRIOR_LAGS = 3;
const PRIOR_SD = 1.5;
const MIN_SD = 0.3;

export function describePairs(table: PairTable): PairKnowledge[] {
  return [...table.values()].sort(byNames).map((pair) => {
    const { action_type, event_type, causes, expected } = pair;
    const start = isReadOnly(action_type) ? READ_ONLY_PRIOR : 1;
    const ratio = (causes + CAUSES_PRIOR * start) / (expected + CAUSES_PRIOR) / start;
    return {
      action_type,
      event_type,
      compatibility: Math.max(-MAX_COMPATIBILITY, Math.min(MAX_COMPATIBILITY, Math.log(ratio))),
      lags: describeLags([pair]),
    };
  });
}

/** The delays of some pairs together. */
export function describeLags(pairs: readonly PairCounts[]): LagKnowledge {
  const total = (of: (pair: PairCounts) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0);
  const count = total(({ lags }) => lags);
  const mean = count === 0 ? 0 : total(({ sum }) => sum) / count;
  const spread = count === 0 ? 0 : Math.max(0, total(({ squares }) => squares) / count - mean ** 2);
  const variance = (count * spread + PRIOR_LAGS * PRIOR_SD ** 2) / (count + PRIOR_LAGS);
  return { mean, sd: Math.max(MIN_SD, Math.sqrt(variance)), count };
}

function byNames(one: PairCounts, other: PairCounts): number {
  const [a, b] = [one, other].map(({ action_type, event_type }) =>
    JSON.stringify([event_type, action_type]),
  );
  return a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1;
}

export function keyKnowledge(observations: readonly EventObservation[]): KeyKnowledge[] {
  const keys = new Map<
    number,
    { events: number; matched: number; sum: number; values: Set<number> }
  >();
  for (const observation of observations) {
    for (const [key, holders, value] of observation.keys) {
      const known = keys.get(key) ?? { events: 0, matched: 0, sum: 0, values: new Set() };
      if (value !== 0) known.values.add(value);
      known.events += 1;
      known.matched += Number(holders > 0);
      known.sum += holders > 0 ? Math.log(holders) : 0;
      keys.set(key, known);
    }
  }
  return [...keys]
    .sort(([a], [b]) => a - b)
    .map(([key, { events, matched, sum, values }]) => ({
      key,
      log_holders: matched === 0 ? 0 : sum / matched,
      events,
      matched,
      log_events: values.size === 0 ? 0 : Math.log(events / values.size),
    }));
}

/** Causes of which nothing is known, as if they stated no money. */
const UNSTATED_PRIOR = 4;

export function describeAmounts(
  observations: readonly EventObservation[],
  levels: ReadonlyMap<string, TypeLevel>,
): AmountKnowledge[] {
  const causes = observations.flatMap(({ event_type, identified }) =>
    identified === null || identified.amount === 'chosen'
      ? []
      : [{ event_type, isUnstated: identified.amount === 'none' }],
  );
  return [...levels]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([event_type, { other }]) => {
      const own = causes.filter((cause) => cause.event_type === event_type);
      const unstated = own.filter(({ isUnstated }) => isUnstated).length;
      const none = (unstated + UNSTATED_PRIOR) / (own.length + UNSTATED_PRIOR);
      return { event_type, other, none };
    });
}
