import type { AmountFit } from '@decision-ledger/contract/explanation';
import { isReadOnly, readOnly } from './actions.js';
import {
  amountFeatures,
  type CountedFit,
  citedAmounts,
  holdersOfAmount,
  statedAgain,
  unstatedOf,
} from './amount-evidence.js';
import { fitAmounts } from './amount-fit.js';
import { MAX_NEAREST } from './candidate-search.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import { BACKGROUND_HOURS, hoursBetween, isLate, timeEvidence, timeOffset } from './delays.js';
import type { Frequencies } from './frequencies.js';
import type { Knowledge } from './knowledge.js';
import { holdersAmong, joinPick, latestHolder, repetitionsOf } from './rivals.js';
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

/** What candidates are compared with. */
export interface CandidateContext {
  readonly event: ComparedEvent;
  readonly frequencies: Frequencies;
  readonly knowledge: Knowledge;
  readonly weights: Weights;
}

export function candidatesOf(
  decisions: readonly ComparedDecision[],
  context: CandidateContext,
): Candidates {
  const { event, frequencies, knowledge } = context;
  const sharing = sharingOf(event, decisions, frequencies, knowledge);
  const stated = sharing.candidates.map((shared) => {
    const { decision } = shared;
    return { decision, shared, stated: fitAmounts(event, decision.features.amounts) };
  });
  const counted = citedAmounts(stated, (token) => frequencies.byToken.get(token) ?? 0);
  const rivals = rivalsOf(counted, context);
  const field = fieldOf(rivals, sharing, context);
  const { amountHolders, usual } = field;
  const all = rivals.map((rival): Candidate => {
    const { decision, shared, fit } = rival;
    const hours = hoursBetween(decision.timestamp, event.interval);
    const late = isLate(hours, knowledge.lags(decision.actionType, event.eventType));
    const features = featuresOf(rival, field, context);
    return { decision, hours, features, shared, fit: fit.fit, amountHolders, isLate: late };
  });
  return { all, sharing, usual };
}

/** A candidate before it is compared with the others. */
interface Rival extends CountedFit {
  readonly hasIds: boolean;
  /** What follows from its own time, action and agent. */
  readonly own: FeatureValues;
}

/** Those with a shared identifier are rivals of each other in their delays, and so are those without. */
function rivalsOf(counted: readonly CountedFit[], context: CandidateContext): Rival[] {
  const isShared = counted.some(({ shared }) => shared.matches.ids.length > 0);
  const all = counted.map((one): Rival => {
    const hasIds = one.shared.matches.ids.length > 0;
    return { ...one, hasIds, own: ownFeatures(one.decision, context, isShared) };
  });
  const offsetOf = (wanted: boolean) =>
    timeOffset(all.filter(({ hasIds }) => hasIds === wanted).map(({ own: { time = 0 } }) => time));
  const [withIds, without] = [offsetOf(true), offsetOf(false)];
  return all.map((rival) => {
    const time = (rival.own.time ?? 0) + (rival.hasIds ? withIds : without);
    return { ...rival, own: { ...rival.own, time } };
  });
}

/** What all candidates together say of each. */
interface Field {
  /** Whether any shares an identifier. */
  readonly isShared: boolean;
  /** The log of how much those without identifiers weigh together. */
  readonly crowd: number;
  /** When the nearest decisions began, of which all are compared. */
  readonly nearFrom: number;
  /** How many decisions there are in the time to which delays are compared. */
  readonly usual: number;
  readonly amountHolders: number;
  /** Minus the log of how many causes share no identifier. */
  readonly unmatched: number;
  /** The same of those that state no money. */
  readonly unstated: number;
  readonly again: ReadonlySet<ComparedDecision>;
  readonly repeats: ReadonlySet<ComparedDecision>;
  readonly latest: ComparedDecision | null;
  readonly join: ComparedDecision | null;
}

function fieldOf(rivals: readonly Rival[], sharing: Sharing, context: CandidateContext): Field {
  const { event, knowledge, weights } = context;
  const decisions = rivals.map(({ decision }) => decision);
  const nearFrom = firstOfNearest(decisions);
  const amountHolders = holdersOfAmount(rivals, context);
  const repeats = repetitionsOf(sharing.candidates);
  return {
    isShared: rivals.some(({ hasIds }) => hasIds),
    crowd: crowdOf(rivals, weights),
    nearFrom,
    usual: decisionsInBackground(decisions, nearFrom, context),
    amountHolders,
    unmatched: unmatchedOf(sharing, knowledge),
    unstated: unstatedOf(rivals, context),
    again: statedAgain(event, sharing.candidates),
    repeats,
    latest: latestHolder(event, holdersAmong(rivals, amountHolders), repeats),
    join: joinPick(event, rivals),
  };
}

function featuresOf(rival: Rival, field: Field, context: CandidateContext): FeatureValues {
  const { decision, shared, fit, hasIds, own } = rival;
  const { crowd, usual, amountHolders, unstated } = field;
  const isNear = decision.timestamp >= field.nearFrom;
  return {
    base: 1,
    ...(!field.isShared && { apart: 1 }),
    ...own,
    ...sharedFeatures(shared, context, field),
    ...valuesOf(shared.wordBits, dayBits(decision, context, usual)),
    ...amountFeatures(fit, amountHolders, context, hasIds ? decision : null),
    ...(hasIds && unstated > 0 && { amount_unstated: unstated }),
    ...(field.again.has(decision) && { amount_again: 1 }),
    ...(field.repeats.has(decision) && { repetition: 1 }),
    ...(decision === field.latest && { latest_holder: 1 }),
    ...(decision === field.join && { join: 1 }),
    ...(!hasIds && {
      crowd: isNear ? -crowd : -Math.max(crowd, Math.log(usual + 1)),
      unmatched: field.unmatched,
    }),
  };
}

/** What follows from the decision's own time, action and agent. */
function ownFeatures(
  decision: ComparedDecision,
  { event, knowledge }: CandidateContext,
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

/** The log of how much the candidates without identifiers weigh together; 0 for less than one. */
function crowdOf(rivals: readonly Rival[], weights: Weights): number {
  const sum = rivals.reduce((total, { hasIds, own }) => {
    if (hasIds) return total;
    const { time = 0, compatibility = 0, read_only = 0 } = own;
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
  { event: { interval }, frequencies }: CandidateContext,
): number {
  if (decisions.length < MAX_NEAREST) return frequencies.decisions;
  const hours = Math.max(1, (interval.to - first) / HOUR_MS);
  return Math.min(frequencies.decisions, (MAX_NEAREST * BACKGROUND_HOURS) / hours);
}

const HOUR_MS = 3_600_000;

function sharedFeatures(
  { idBits, matches, transactionKey }: SharedValues,
  { knowledge, weights }: CandidateContext,
  { crowd, usual }: Pick<Field, 'crowd' | 'usual'>,
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
  { event: { statedDays }, frequencies: { decisions } }: CandidateContext,
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
