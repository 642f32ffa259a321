import { timeEvidence } from './delays.js';
import type { KindValue } from './event-kinds.js';
import type { Knowledge } from './knowledge.js';
import { fitMixture, toShare } from './mixture.js';
import type { EventObservation } from './snapshot.js';
import type { Weights } from './weights.js';

/** What one event says of whether events of its type have recorded causes. */
export interface EventEvidence {
  /** How much likelier its delays and amounts are with a recorded cause than without, by the amounts stated. */
  readonly sums: { readonly equal: number; readonly other: number; readonly none: number };
  /** The same of its delays alone. */
  readonly delays: number;
  /** The log-odds of a cause before that. */
  readonly level: number;
  /** Whether a decision shares an identifier. */
  readonly isShared: boolean;
  /** 1 if it names the transaction of one decision, 0 if it names none. */
  readonly transaction: number;
  /** What may say of which kind it is. */
  readonly kinds: readonly KindValue[];
}

/** The evidence of all observed events, by event type. */
export function evidenceByType(
  observations: readonly EventObservation[],
  knowledge: Knowledge,
  weights: Weights,
): Map<string, EventEvidence[]> {
  const types = new Map<string, EventEvidence[]>();
  for (const observation of observations) {
    const { event_type, options, sharing, transaction = 0, kinds = [] } = observation;
    if (options === undefined || sharing === undefined) continue;
    const events = types.get(event_type) ?? [];
    events.push({
      level: usualLevel(sharing, weights),
      transaction,
      isShared: sharing !== null,
      kinds,
      ...ratiosOf(observation, knowledge, weights),
    });
    types.set(event_type, events);
  }
  return types;
}

/** The log-odds of a cause before delays and amounts, by what the event shares with decisions. */
export const usualLevel = (sharing: number | null, { base, apart }: Weights): number =>
  base + (sharing ?? apart);

function ratiosOf(
  { event_type, options = [] }: EventObservation,
  knowledge: Knowledge,
  weights: Weights,
): Pick<EventEvidence, 'sums' | 'delays'> {
  let delays = 0;
  const sums = { equal: 0, other: 0, none: 0 };
  for (const [actionType, logHours, evidence, amount, ofAmount] of options) {
    const lags = knowledge.lags(actionType, event_type);
    const time = timeEvidence(Math.exp(logHours), knowledge.halfLife(actionType), lags);
    const compatibility = knowledge.compatibility(actionType, event_type);
    const learned = weights.time * time + weights.compatibility * compatibility;
    sums[amount] += Math.exp(evidence + learned);
    delays += Math.exp(evidence - ofAmount + learned);
  }
  return { sums, delays };
}

/** One event type in three comes without recorded causes: rent, salaries, taxes, renewals. */
export const CAUSELESS_TYPE = 1 / 3;
/** One such type in ten names the transactions of decisions all the same. */
const NAMES_TRANSACTIONS = 0.1;
/** One type with causes in twenty has causes that state unrelated amounts. */
const UNRELATED_AMOUNTS = 0.05;
/** No type is surely causeless. */
const MAX_CAUSELESS = 0.9;

/**
 * The probability that no event of a type has a recorded cause. That its events share customers, accounts
 * or rooms with decisions says nothing of it, and neither do single delays, because everything about one
 * customer comes in clusters. Amounts that agree refute it, and so do delays that most events keep.
 */
export function causelessOf(events: readonly EventEvidence[]): number {
  const naming = events.reduce((sum, { transaction }) => sum + transaction, 0) / events.length;
  const logOdds = priorLogOdds(naming) + delaysWithout(events) - amountsWith(events);
  return Math.min(MAX_CAUSELESS, toShare(logOdds));
}

/**
 * The same before the first event of the type is known.
 * @param naming how many of its events name the transaction of one decision, 0 to 1
 */
export const causelessBefore = (naming: number): number => toShare(priorLogOdds(naming));

const priorLogOdds = (naming: number): number =>
  logit(CAUSELESS_TYPE) + naming * Math.log(NAMES_TRANSACTIONS);

/**
 * The mean over the events of a type of the log of how much likelier their delays are with a cause: its
 * mean and deviation over types. Without causes it is below 0, as the mean of the ratios themselves is 1,
 * but for clusters; with causes, delays are four times likelier in the middle.
 */
const MEAN_DELAYS = { without: { mean: -0.3, sd: 0.8 }, with: { mean: 1.5, sd: 1 } };
/** Deviation of one event. */
const EVENT_SD = 1.5;
const MAX_LOG_RATIO = 3;
/** Delays refute at most six to one that a type is causeless: stays, visits and cases are clusters as well. */
const MAX_REFUTED = Math.log(6);

/** The log of how much likelier the delays of a type are if its events have no causes. */
function delaysWithout(events: readonly EventEvidence[]): number {
  const shared = events.filter(({ isShared }) => isShared);
  if (shared.length === 0) return 0;
  const logs = shared.map(({ delays }) =>
    Math.max(-MAX_LOG_RATIO, Math.min(MAX_LOG_RATIO, Math.log(delays))),
  );
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const density = (law: { readonly mean: number; readonly sd: number }) => {
    const variance = law.sd ** 2 + EVENT_SD ** 2 / logs.length;
    return -((mean - law.mean) ** 2) / (2 * variance) - Math.log(variance) / 2;
  };
  return Math.max(-MAX_REFUTED, density(MEAN_DELAYS.without) - density(MEAN_DELAYS.with));
}

/** The log of how much likelier the amounts of a type are if its events have causes. */
function amountsWith(events: readonly EventEvidence[]): number {
  const compared = events
    .filter(({ delays }) => delays > 0)
    .map(({ level, isShared, sums, delays }) => ({ level, isShared, sums, scale: 1 / delays }));
  const { evidence } = fitMixture(compared);
  const most = Math.max(0, evidence);
  const related = (1 - UNRELATED_AMOUNTS) * Math.exp(evidence - most);
  return most + Math.log(related + UNRELATED_AMOUNTS * Math.exp(-most));
}

const logit = (share: number): number => Math.log(share / (1 - share));
