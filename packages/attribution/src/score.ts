import { FEATURES, type FeatureName } from '@decision-ledger/contract/attribution-signals';
import { inactionOf } from './actions.js';
import { AFTER_EVENT_MS } from './candidate-search.js';
import { candidatesOf } from './candidates.js';
import type { ComparedDecision, ComparedEvent } from './comparison.js';
import type { Frequencies } from './frequencies.js';
import { knowledgeOf } from './knowledge.js';
import { isSuggested, labelOf, mayGuess } from './labels.js';
import { observe } from './observation.js';
import type { FeatureValues, Observation, Snapshot } from './snapshot.js';
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
  readonly observation: Observation;
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
  snapshot: Snapshot,
  left: number,
): ScoredEvent {
  const { weights, settings } = snapshot;
  const before = decisions.filter(
    ({ timestamp }) => timestamp <= event.interval.to + AFTER_EVENT_MS,
  );
  const knowledge = knowledgeOf(snapshot);
  const context = { event, frequencies, knowledge, weights };
  const found = candidatesOf(before, context);
  const { all } = found;
  const logOdds = all.map(({ features }) => logOddsOf(features, weights));
  const observation = observe(event, found, { decisions: frequencies.decisions, weights });
  const recorded =
    (1 - unrecordedOf(observation, logOdds, snapshot)) *
    (1 -
      inactionOf(
        all.map(({ features }) => features),
        weights,
      ));
  const unrecorded = 1 - recorded;
  const shares = sharesOf(logOdds, unrecorded);
  const isGuessed = mayGuess(
    shares.of.reduce((sum, share) => sum + share, 0),
    settings,
  );
  const scored = all.map((candidate, at): Scored => {
    const { decision, hours } = candidate;
    const share = shares.of[at] ?? 0;
    const features = { ...candidate.features, unrecorded: shares.unrecorded };
    const label = labelOf(candidate, share, unrecorded, all);
    const single = (1 - unrecorded) / (1 + Math.exp(-(logOdds[at] ?? 0)));
    return {
      decisionId: decision.decisionId,
      agentId: decision.agentId,
      actionType: decision.actionType,
      hours,
      share: roundDown(left * share),
      probability: single,
      features,
      evidence: evidenceOf(features, weights),
      label,
      isSuggested:
        left > 0 &&
        (isGuessed || label === 'matched') &&
        isSuggested(candidate, { share: left * share, probability: single }, settings),
    };
  });
  const total = scored.reduce((sum, { share }) => sum + Math.round(share * PARTS), 0);
  return {
    candidates: ranked(scored, logOdds),
    none: (Math.round(left * PARTS) - total) / PARTS,
    observation,
  };
}

/**
 * The probability that the cause is unrecorded: as with any event, or because its type has no recorded
 * causes. The delays and amounts of the event itself may refute the latter; that it shares identifiers does
 * not, as all events of such a type may share them.
 */
function unrecordedOf(
  { event_type, sharing = null, transaction = 0, kinds = [] }: Observation,
  logOdds: readonly number[],
  snapshot: Snapshot,
): number {
  const knowledge = knowledgeOf(snapshot);
  const causeless = knowledge.causeless(event_type, kinds) ?? causelessBefore(transaction);
  const usual =
    usualLevel(sharing, snapshot.weights) +
    snapshot.weights.event_type * knowledge.eventType(event_type, kinds, sharing !== null);
  const share = 1 / (1 + Math.exp(-usual));
  const ratio = logOdds.reduce((sum, value) => sum + Math.exp(value - usual), 0);
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
  logOdds: readonly number[],
  unrecorded: number,
): { readonly of: readonly number[]; readonly unrecorded: number } {
  const shift = Math.max(0, ...logOdds);
  const least = [...logOdds].sort((a, b) => b - a)[COMPETING - 1] ?? Number.NEGATIVE_INFINITY;
  const odds = logOdds.map((value) => (value < least ? 0 : Math.exp(value - shift)));
  const total = Math.exp(-shift) + odds.reduce((sum, value) => sum + value, 0);
  const recorded = 1 - unrecorded;
  // The log of what "none" gains: none ÷ (unrecorded + none) in shares.
  const none = (recorded * Math.exp(-shift)) / total;
  return {
    of: odds.map((value) => (recorded * value) / total),
    unrecorded: Math.log(Math.max(none, Number.MIN_VALUE)) - Math.log(unrecorded + none),
  };
}

const PARTS = 1e6;

/** Rounds down, so that the shares of one event never sum to more than is left. */
const roundDown = (share: number): number => Math.floor(share * PARTS) / PARTS;

/** By log-odds, not by rounded shares, so that the order of near misses is kept. */
function ranked(scored: readonly Scored[], logOdds: readonly number[]): Scored[] {
  return scored
    .map((score, at) => ({ score, at, odds: logOdds[at] ?? 0 }))
    .sort((a, b) => b.odds - a.odds || b.at - a.at)
    .map(({ score }) => score);
}
