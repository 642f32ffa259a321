import type { HashedFeatures } from './hashed.js';
import type { Knowledge } from './knowledge.js';
import { overlapOf } from './overlap.js';
import { ATTRIBUTION_VERSION } from './parameters.js';
import { plausibility } from './plausibility.js';
import { isSuggested, type Score, scoreCandidates } from './score.js';
import type { Candidate } from './signals.js';

/** An event, prepared for comparison. */
export interface ComparedEvent {
  readonly eventType: string;
  readonly currency: string;
  /** Above zero, or null for an amount of zero. */
  readonly magnitude: number | null;
  /** Hash of the magnitude's canonical text. */
  readonly amountToken: number | null;
  /** ms. */
  readonly timestamp: number;
  readonly features: HashedFeatures;
}

export interface ComparedDecision {
  readonly decisionId: string;
  readonly agentId: string;
  readonly actionType: string;
  /** ms. */
  readonly timestamp: number;
  readonly saysItFailed: boolean;
  readonly features: HashedFeatures;
}

/** The number of decisions, and the number with each value. */
export interface Frequencies {
  readonly decisions: number;
  readonly byToken: ReadonlyMap<number, number>;
}

/** A suggested decision and its score. */
export interface Suggestion {
  readonly decisionId: string;
  readonly actionType: string;
  /** Rounded down to six decimals. */
  readonly strength: number;
  readonly score: Score;
  /** How many decisions competed. */
  readonly candidates: number;
  /** The other candidates with the greatest shares. */
  readonly rivals: readonly Rival[];
}

export interface Rival {
  readonly decisionId: string;
  readonly share: number;
  readonly probability: number;
}

const MAX_RIVALS = 5;

const HOUR_MS = 3_600_000;

/**
 * Scores decisions against each other as causes of an event.
 * @param left share of the event without a confirmed link, 0 to 1
 * @returns the suggestions, the strongest first
 */
export function suggest(
  event: ComparedEvent,
  decisions: readonly ComparedDecision[],
  left: number,
  frequencies: Frequencies,
  knowledge: Knowledge,
): Suggestion[] {
  const candidates = decisions.map((decision) =>
    toCandidate(event, decision, frequencies, knowledge),
  );
  const scored = scoreCandidates(candidates, left, knowledge.model)
    .flatMap((score, index) => {
      const decision = decisions[index];
      return decision === undefined ? [] : [{ decision, score }];
    })
    .sort((a, b) => b.score.share - a.score.share);
  const nearest = scored.slice(0, MAX_RIVALS + 1).map(({ decision: { decisionId }, score }) => ({
    decisionId,
    share: roundDown(score.share),
    probability: score.probability,
  }));
  return scored.flatMap(({ decision: { decisionId, actionType }, score }): Suggestion[] => {
    const strength = roundDown(score.share);
    if (strength === 0 || !isSuggested(score, knowledge.model.parameters)) return [];
    const rivals = nearest.filter((rival) => rival.decisionId !== decisionId).slice(0, MAX_RIVALS);
    return [{ decisionId, actionType, strength, score, candidates: decisions.length, rivals }];
  });
}

/** Rounds down, so that the strengths of one event never sum to more than 1. */
function roundDown(share: number): number {
  return Math.floor(share * 1e6) / 1e6;
}

/**
 * Greatest for uncertain suggestions and for large amounts.
 * @param magnitude of the event's amount in its own currency, null for zero
 */
export function reviewPriority(strength: number, magnitude: number | null): number {
  return 4 * strength * (1 - strength) * (1 + Math.log10(1 + (magnitude ?? 0)));
}

function toCandidate(
  event: ComparedEvent,
  decision: ComparedDecision,
  { decisions, byToken }: Frequencies,
  knowledge: Knowledge,
): Candidate {
  const { eventType, currency, magnitude } = event;
  const { actionType, agentId } = decision;
  const usual = knowledge.usualAmounts(actionType, currency);
  return {
    overlap: overlapOf(decision.features, event.features, event.amountToken, (_kind, token) =>
      Math.log2((decisions + 1) / ((byToken.get(token) ?? 1) + 1)),
    ),
    hours: (event.timestamp - decision.timestamp) / HOUR_MS,
    halfLifeHours: knowledge.halfLifeHours(actionType),
    agentPattern: knowledge.agentPattern({
      event_type: eventType,
      action_type: actionType,
      agent_id: agentId,
    }),
    amountPlausibility:
      usual === null || magnitude === null ? null : plausibility(magnitude, usual),
    saysItFailed: decision.saysItFailed,
  };
}

/** The score as stored with a link: everything needed to recompute its strength. */
export function describeScore(
  { actionType, score, strength, candidates, rivals }: Suggestion,
  { model, halfLifeHours }: Knowledge,
  idOf: (decisionId: string) => string,
) {
  const { probability, share, rawLogit, parts, evidence } = score;
  return {
    version: ATTRIBUTION_VERSION,
    probability,
    share: strength,
    uncalibrated_logit: rawLogit,
    candidates,
    exact_share: share,
    rivals: rivals.map((rival) => ({
      decision_id: idOf(rival.decisionId),
      share: rival.share,
      probability: rival.probability,
    })),
    parts: { ...parts },
    evidence: { ...evidence },
    weights: { ...model.parameters.weights },
    half_life_hours: halfLifeHours(actionType),
    calibration: { ...model.calibration },
  };
}
