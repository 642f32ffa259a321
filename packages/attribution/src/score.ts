import { FEATURES, type FeatureName } from '@decision-ledger/contract/attribution-signals';
import { inactionOf } from './actions.js';
import { type Candidate, candidatesOf } from './candidates.js';
import { onClockOf } from './clocks.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import type { Frequencies } from './frequencies.js';
import { knowledgeOf } from './knowledge.js';
import { isSuggested, matchedSteps, mayGuess } from './labels.js';
import { observeEvent } from './observation.js';
import type { EventObservation, FeatureValues, ModelSnapshot } from './snapshot.js';
import { causelessBefore, usualLevel } from './type-evidence.js';
import { logOddsOf, type Weights } from './weights.js';

/** The result for one candidate of an event. */
export interface Scored {
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** Hours from the decision to the event; for an event that is a day, to its possible middle. */
  readonly hours: number;
  /** Its share of the event, rounded down to six decimals; all shares and `none` sum to `left`. */
  readonly share: number;
  /** Probability that it is the cause if no other candidate existed. */
  readonly probability: number;
  readonly features: FeatureValues;
  /** Feature × weight: sums to the log-odds of the candidate against "no recorded decision". */
  readonly evidence: { readonly [Name in FeatureName]?: number };
  readonly label: 'matched' | 'guessed';
  readonly isSuggested: boolean;
}

export interface ScoredEvent {
  /** All candidates, greatest share first; equal shares with the later recorded first. */
  readonly candidates: readonly Scored[];
  /** The share of "no recorded decision". */
  readonly none: number;
  /** Stored with the score of the event, for learning. */
  readonly observation: EventObservation;
}

/**
 * Scores decisions against each other, and against "no recorded decision", as causes of an event.
 * Decisions of after the event are left out.
 * @param decisions in the order of recording
 * @param left share of the event without a confirmed link, 0 to 1
 */
export function scoreEvent(
  event: ComparedEvent,
  decisions: readonly ComparedDecision[],
  frequencies: Frequencies,
  snapshot: ModelSnapshot,
  left: number,
): ScoredEvent {
  const { weights, settings } = snapshot;
  const knowledge = knowledgeOf(snapshot);
  const { before, after } = onClockOf(event, decisions, knowledge);
  const context = { event, frequencies, knowledge, weights };
  const found = candidatesOf(before, context);
  const { all } = found;
  const rated = all.map((candidate): Rated => {
    return { candidate, logOdds: logOddsOf(candidate.features, weights) };
  });
  const observation = observeEvent(context, found, after);
  const features = all.map((candidate) => candidate.features);
  const recorded =
    (1 - unrecordedOf(observation, rated, snapshot)) * (1 - inactionOf(features, weights));
  const unrecorded = 1 - recorded;
  const shares = sharesOf(rated, unrecorded);
  const isGuessed = mayGuess(
    shares.all.reduce((sum, { share }) => sum + share, 0),
    settings,
  );
  const matched = matchedSteps(shares.all, unrecorded);
  const scored = shares.all.map((one): Rated & { readonly score: Scored } => {
    const { candidate, logOdds, share } = one;
    const { decision, hours } = candidate;
    const own = { ...candidate.features, unrecorded: shares.unrecorded };
    const label: Scored['label'] = matched.has(candidate) ? 'matched' : 'guessed';
    const single = (1 - unrecorded) / (1 + Math.exp(-logOdds));
    const score = {
      decisionId: decision.decisionId,
      agentId: decision.agentId,
      actionType: decision.actionType,
      hours,
      share: roundDown(left * share),
      probability: single,
      features: own,
      evidence: evidenceOf(own, weights),
      label,
      isSuggested:
        left > 0 &&
        (isGuessed || label === 'matched') &&
        isSuggested(candidate, { share: left * share, probability: single }, settings),
    };
    return { candidate, logOdds, score };
  });
  const total = scored.reduce((sum, { score }) => sum + Math.round(score.share * PARTS), 0);
  return {
    candidates: ranked(scored),
    none: (Math.round(left * PARTS) - total) / PARTS,
    observation,
  };
}

/** A candidate with its log-odds against "no recorded decision". */
interface Rated {
  readonly candidate: Candidate;
  readonly logOdds: number;
}

/**
 * The probability that the cause is unrecorded: as with any event, or because its type has no recorded
 * causes. The delays and amounts of the event itself may refute the latter; that it shares identifiers does
 * not, as all events of such a type may share them.
 */
function unrecordedOf(
  { event_type, sharing = null, transaction = 0, kinds = [] }: EventObservation,
  rated: readonly Rated[],
  snapshot: ModelSnapshot,
): number {
  const knowledge = knowledgeOf(snapshot);
  const causeless = knowledge.causeless(event_type, kinds) ?? causelessBefore(transaction);
  const usual =
    usualLevel(sharing, snapshot.weights) +
    snapshot.weights.event_type * knowledge.eventType(event_type, kinds, sharing !== null);
  const share = 1 / (1 + Math.exp(-usual));
  const ratio = rated.reduce((sum, { logOdds }) => sum + Math.exp(logOdds - usual), 0);
  const caused = (1 - causeless) * Math.max(1, 1 - share + share * ratio);
  return 1 - ((1 - snapshot.unrecorded) * caused) / (causeless + caused);
}

function evidenceOf(features: FeatureValues, weights: Weights): Scored['evidence'] {
  const evidence: Partial<Record<FeatureName, number>> = {};
  for (const { name } of FEATURES) {
    const product = (features[name] ?? 0) * weights[name];
    if (product !== 0) evidence[name] = product;
  }
  return evidence;
}

/** Only the likeliest compete, so that the stored candidates of an event suffice to recompute shares. */
const COMPETING = 10;

/**
 * A conditional logit: each share is proportional to its odds, "none" has odds of 1. A small part of
 * every event stays with "none", since its cause may be unrecorded although a related decision is not.
 */
function sharesOf(
  rated: readonly Rated[],
  unrecorded: number,
): {
  readonly all: readonly (Rated & { readonly share: number })[];
  readonly unrecorded: number;
} {
  const logs = rated.map(({ logOdds }) => logOdds);
  const shift = Math.max(0, ...logs);
  const least = logs.sort((a, b) => b - a)[COMPETING - 1] ?? Number.NEGATIVE_INFINITY;
  const odds = rated.map((one) => ({
    ...one,
    odds: one.logOdds < least ? 0 : Math.exp(one.logOdds - shift),
  }));
  const total = Math.exp(-shift) + odds.reduce((sum, one) => sum + one.odds, 0);
  const recorded = 1 - unrecorded;
  // The log of what "none" gains: none ÷ (unrecorded + none) in shares.
  const none = (recorded * Math.exp(-shift)) / total;
  return {
    all: odds.map((one) => ({ ...one, share: (recorded * one.odds) / total })),
    unrecorded: Math.log(Math.max(none, Number.MIN_VALUE)) - Math.log(unrecorded + none),
  };
}

const PARTS = 1e6;

/** Rounds down, so that the shares of one event never sum to more than is left. */
const roundDown = (share: number): number => Math.floor(share * PARTS) / PARTS;

/** By log-odds, not by rounded shares, so that the order of near misses is kept; equal ones with the later first. */
const ranked = (scored: readonly (Rated & { readonly score: Scored })[]): Scored[] =>
  scored
    .toReversed()
    .sort((a, b) => b.logOdds - a.logOdds)
    .map(({ score }) => score);
