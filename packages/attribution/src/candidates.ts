import { isReadOnly, readOnly } from './actions.js';
import {
  amountFeatures,
  citedAmounts,
  holdersOfAmount,
  statedAgain,
  unstatedOf,
} from './amount-evidence.js';
import { type AmountFit, type FittedAmount, fitAmounts, statesAmount } from './amount-fit.js';
import { MAX_NEAREST } from './candidate-search.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import { BACKGROUND_HOURS, hoursBetween, isLate, timeEvidence, timeOffset } from './delays.js';
import type { Frequencies } from './frequencies.js';
import type { Knowledge } from './knowledge.js';
import { joinPick, repetitionsOf } from './rivals.js';
import { type SharedValues, type Sharing, sharingOf } from './shared-values.js';
import type { FeatureValues } from './snapshot.js';
import type { Weights } from './weights.js';

/** A candidate with its features, and what labels and learning need besides. */
export interface Candidate {
  readonly decision: ComparedDecision;
  readonly hours: number;
  readonly features: FeatureValues;
  readonly shared: SharedValues;
  readonly fit: AmountFit;
  /** How many decisions state the amount of the event, as counted or at hand. */
  readonly amountHolders: number;
  /** Whether it is longer ago than nearly all known causes of such events. */
  readonly isLate: boolean;
}

export interface Candidates {
  readonly all: readonly Candidate[];
  readonly sharing: Sharing;
  /** How many decisions there are in the time to which delays are compared. */
  readonly usual: number;
}

interface Context {
  readonly event: ComparedEvent;
  readonly frequencies: Frequencies;
  readonly knowledge: Knowledge;
  readonly weights: Weights;
}

export function candidatesOf(decisions: readonly ComparedDecision[], context: Context): Candidates {
  const { event, frequencies, knowledge, weights } = context;
  const sharing = sharingOf(event, decisions, frequencies, knowledge);
  const stated = decisions.map(({ features }) => fitAmounts(event, features.amounts));
  const fits = citedAmounts(
    decisions,
    sharing.candidates,
    stated,
    (token) => frequencies.byToken.get(token) ?? 0,
  );
  const hasIds = sharing.candidates.map(({ matches }) => matches.ids.length > 0);
  const isShared = hasIds.includes(true);
  const own = boundTimes(
    decisions.map((decision) => ownFeatures(decision, context, isShared)),
    hasIds,
  );
  const crowd = crowdOf(own, hasIds, weights);
  const nearFrom = firstOfNearest(decisions);
  const usual = decisionsInBackground(decisions, nearFrom, context);
  const isNear = ({ timestamp }: ComparedDecision) => timestamp >= nearFrom;
  const crowdAround = Math.max(crowd, Math.log(usual + 1));
  const amountHolders = holdersOfAmount(context, fits);
  const join = joinPick(event, decisions, sharing.candidates, stated);
  const missing = unmatchedOf(sharing, knowledge);
  const unstated = unstatedOf(hasIds, fits, context);
  const again = statedAgain(event, decisions, sharing.candidates);
  const repeats = repetitionsOf(decisions, sharing.candidates);
  const effective = decisions.map(({ saysItFailed }, at) => !saysItFailed && repeats[at] !== true);
  const holders = isShared
    ? sharing.candidates.map(({ isHolder }) => isHolder)
    : fewStating(fits, amountHolders);
  const latest = latestOf(holders, { event, decisions, effective });
  const all = decisions.flatMap((decision, at): Candidate[] => {
    const shared = sharing.candidates[at];
    const fit = fits[at];
    if (shared === undefined || fit === undefined) return [];
    const features = {
      base: 1,
      ...(!isShared && { apart: 1 }),
      ...own[at],
      ...sharedFeatures(shared, context, { crowd, usual }),
      ...valuesOf(shared.wordBits, dayBits(decision, context, usual)),
      ...amountFeatures(fit, amountHolders, context, hasIds[at] === true ? decision : null),
      ...(hasIds[at] === true && unstated > 0 && { amount_unstated: unstated }),
      ...(again[at] === true && { amount_again: 1 }),
      ...(repeats[at] === true && { repetition: 1 }),
      ...(at === latest && { latest_holder: 1 }),
      ...(at === join && { join: 1 }),
      ...(hasIds[at] === false && {
        crowd: isNear(decision) ? -crowd : -crowdAround,
        unmatched: missing,
      }),
    };
    const hours = hoursBetween(decision.timestamp, event.interval);
    const late = isLate(hours, knowledge.lags(decision.actionType, event.eventType));
    return [{ decision, hours, features, shared, fit: fit.fit, amountHolders, isLate: late }];
  });
  return { all, sharing, usual };
}

/** What follows from the decision's own time, action and agent. */
function ownFeatures(
  decision: ComparedDecision,
  { event, knowledge }: Context,
  isShared: boolean,
): FeatureValues {
  const { actionType, agentId, timestamp } = decision;
  const { eventType, interval } = event;
  const lags = knowledge.lags(actionType, eventType);
  const hours = hoursBetween(timestamp, interval);
  return {
    time: timeEvidence(hours, knowledge.halfLife(actionType), lags),
    compatibility: knowledge.compatibility(actionType, eventType),
    event_type: knowledge.eventType(eventType, event.kinds, isShared),
    agent: knowledge.agent(agentId, actionType, eventType),
    ...(isReadOnly(actionType) && { read_only: readOnly(actionType) }),
    ...(decision.saysItFailed && { failure: 1 }),
  };
}

/** Those with a shared identifier are rivals of each other, and so are those without. */
function boundTimes(own: readonly FeatureValues[], hasIds: readonly boolean[]): FeatureValues[] {
  const offsets = [true, false].map((wanted) =>
    timeOffset(own.filter((_, at) => hasIds[at] === wanted).map(({ time = 0 }) => time)),
  );
  return own.map((features, at) => {
    const offset = offsets[hasIds[at] === true ? 0 : 1] ?? 0;
    return { ...features, time: (features.time ?? 0) + offset };
  });
}

/** The log of how much the candidates without identifiers weigh together; 0 for less than one. */
function crowdOf(
  own: readonly FeatureValues[],
  hasIds: readonly boolean[],
  weights: Weights,
): number {
  const sum = own.reduce((total, features, at) => {
    if (hasIds[at] === true) return total;
    const { time = 0, compatibility = 0, read_only = 0 } = features;
    return (
      total +
      Math.exp(
        weights.time * time + weights.compatibility * compatibility + weights.read_only * read_only,
      )
    );
  }, 0);
  return Math.log(Math.max(1, sum));
}

/** When the nearest decisions began, of which all are compared. */
function firstOfNearest(decisions: readonly ComparedDecision[]): number {
  const times = decisions.map(({ timestamp }) => timestamp).sort((a, b) => b - a);
  return times[MAX_NEAREST - 1] ?? Number.NEGATIVE_INFINITY;
}

/**
 * How many decisions there are in the time of the background to which delays are compared, at the rate of
 * the nearest ones: an identifier that a hundred decisions hold in three years is rare in ten days.
 */
function decisionsInBackground(
  decisions: readonly ComparedDecision[],
  first: number,
  { event: { interval }, frequencies }: Context,
): number {
  if (decisions.length < MAX_NEAREST) return frequencies.decisions;
  const hours = Math.max(1, (interval.to - first) / HOUR_MS);
  return Math.min(frequencies.decisions, (MAX_NEAREST * BACKGROUND_HOURS) / hours);
}

const HOUR_MS = 3_600_000;

function sharedFeatures(
  { idBits, matches, transactionKey }: SharedValues,
  { knowledge, weights }: Context,
  { crowd, usual }: { readonly crowd: number; readonly usual: number },
): FeatureValues {
  const contradiction = matches.contradictions
    .map((key) => shareMatched(knowledge, key, 1))
    .reduce((sum, share) => sum + share, 0);
  const evidence =
    weights.identifier_exact * idBits.exact +
    weights.identifier_canonical * idBits.canonical +
    weights.identifier_digits * idBits.digits +
    weights.identifier_text * idBits.text +
    weights.identifier_linked * idBits.linked;
  // A common identifier leaves a candidate in the crowd; it never weighs less than without.
  const ledger = Math.min(Math.log(usual + 1), evidence + crowd);
  return {
    ...(matches.ids.length > 0 && { ledger: -ledger }),
    ...(idBits.exact > 0 && { identifier_exact: idBits.exact }),
    ...(idBits.canonical > 0 && { identifier_canonical: idBits.canonical }),
    ...(idBits.digits > 0 && { identifier_digits: idBits.digits }),
    ...(idBits.text > 0 && { identifier_text: idBits.text }),
    ...(idBits.linked > 0 && { identifier_linked: idBits.linked }),
    ...(transactionKey > 0 && { transaction_key: transactionKey }),
    ...(contradiction > 0 && { contradiction: Math.min(MAX_CONTRADICTIONS, contradiction) }),
  };
}

/** An event that states the day of the decision: how rare decisions of one day are. */
function dayBits(
  { timestamp }: ComparedDecision,
  { event: { statedDays }, frequencies: { decisions } }: Context,
  usual: number,
): number {
  if (!statedDays.has(Math.floor(timestamp / (24 * HOUR_MS)))) return 0;
  const onOneDay = Math.max(1, (24 / BACKGROUND_HOURS) * usual);
  return Math.log2((Math.max(decisions, onOneDay) + 1) / onOneDay);
}

/** The rarer in full: a day may be among the equal values. */
function valuesOf(words: number, day: number): FeatureValues {
  const bits = Math.max(words, day) + FURTHER_VALUE * Math.min(words, day);
  return bits > 0 ? { other_values: bits } : {};
}

const FURTHER_VALUE = 0.25;
const MAX_CONTRADICTIONS = 2;
const KEY_EVENTS = 4;
/** Share of causes with an identifier that the event states, before anything is known of its keys. */
const USUALLY_SHARED = 0.6;
const MAX_SHARED = 0.97;

/** How often decisions hold what events state under a key. */
function shareMatched(knowledge: Knowledge, key: number, prior: number): number {
  const { events, matched } = knowledge.key(key) ?? { events: 0, matched: 0 };
  return (matched + KEY_EVENTS * prior) / (events + KEY_EVENTS);
}

/** Minus the log of how many causes share no identifier with an event that states these keys. */
function unmatchedOf({ keys }: Sharing, knowledge: Knowledge): number {
  const shares = keys.map(([key]) => shareMatched(knowledge, key, USUALLY_SHARED));
  return -Math.log(1 - Math.min(MAX_SHARED, Math.max(0, ...shares)));
}

/** An amount that more decisions state is that of several cases. */
const FEW_STATING = 8;

/** Where nothing else is shared, an amount that few decisions state is that of one case. */
const fewStating = (fits: readonly FittedAmount[], amountHolders: number): boolean[] =>
  fits.map(({ fit }) => amountHolders <= FEW_STATING && statesAmount(fit));

/** The place of the latest holder, of those that had an effect if any did; -1 if there is none. */
function latestOf(
  holders: readonly boolean[],
  {
    event: { interval },
    decisions,
    effective,
  }: {
    readonly event: ComparedEvent;
    readonly decisions: readonly ComparedDecision[];
    readonly effective: readonly boolean[];
  },
): number {
  const before = decisions
    .map(({ timestamp }, at) => ({ timestamp, at }))
    .filter(({ timestamp, at }) => holders[at] === true && timestamp <= interval.to);
  const working = before.filter(({ at }) => effective[at] === true);
  const [latest] = (working.length > 0 ? working : before).sort(
    (a, b) => b.timestamp - a.timestamp || b.at - a.at,
  );
  return latest?.at ?? -1;
}
