import type {
  CandidateSignal,
  EventSignal,
  WeightedSignal,
} from '@decision-ledger/contract/attribution-signals';
import { crowding } from './compete.js';
import {
  BASE_RATE,
  CONTRADICTION,
  FAILURE,
  MAX_CONTRADICTIONS,
  MAX_FROM_AMOUNT,
  MAX_FROM_IDS,
  OTHER_AMOUNT,
  type Parameters,
  SCALE,
} from './parameters.js';

/** What a decision and an event share. A value counts −log2 of its frequency, in bits. */
export interface Overlap {
  /** Bits of the metadata pairs that agree, and of all pairs under keys that both sides have. */
  readonly agreeingBits: number;
  readonly comparedBits: number;
  /** Bits of the identifiers that both sides have. */
  readonly idBits: number;
  /** Keys under which both sides have identifiers and none is equal. */
  readonly contradictions: number;
  /** Bits of the event's amount if the decision states it; null otherwise. */
  readonly amountBits: number | null;
  readonly statesAmounts: boolean;
}

/** What is known of one candidate. Null adds nothing. */
export interface Candidate {
  readonly overlap: Overlap;
  /** Hours from the decision to the event; negative for a decision after the event. */
  readonly hours: number;
  readonly halfLifeHours: number;
  /** Mean of the reviews of this agent, action type and event type; null before the first. */
  readonly agentPattern: number | null;
  readonly amountPlausibility: number | null;
  readonly saysItFailed: boolean;
}

interface Part {
  /** The value that adds nothing. */
  readonly neutral: number;
  /** From 0 to 1; null without evidence. */
  readonly of: (candidate: Candidate) => number | null;
}

/** The part of each weighted signal. */
export const PARTS: { readonly [Name in WeightedSignal]: Part } = {
  temporal: {
    neutral: 0.25,
    of: ({ hours, halfLifeHours }) => 2 ** (-Math.max(0, hours) / halfLifeHours),
  },
  metadata: {
    neutral: 0.1,
    of: ({ overlap: { agreeingBits, comparedBits } }) =>
      comparedBits > 0 ? agreeingBits / comparedBits : null,
  },
  agent_pattern: { neutral: 0.25, of: ({ agentPattern }) => agentPattern },
  amount: { neutral: 0.5, of: ({ amountPlausibility }) => amountPlausibility },
};

type CandidateEvidence = (candidate: Candidate, parameters: Parameters) => number;

/** What each signal of one candidate adds to its log-odds. */
export const CANDIDATE_EVIDENCE: { readonly [Name in CandidateSignal]: CandidateEvidence } = {
  base: () => Math.log(BASE_RATE / (1 - BASE_RATE)),
  temporal: weighted('temporal'),
  // Limited by the information in it: env=prod agrees with everything.
  metadata: (candidate, parameters) =>
    Math.min(
      weighted('metadata')(candidate, parameters),
      candidate.overlap.agreeingBits * Math.LN2,
    ),
  agent_pattern: weighted('agent_pattern'),
  amount: weighted('amount'),
  identifiers: ({ overlap }) => saturating(overlap.idBits * Math.LN2, MAX_FROM_IDS),
  stated_amount: ({ overlap: { amountBits, statesAmounts } }) => {
    if (amountBits === null) return statesAmounts ? -OTHER_AMOUNT : 0;
    return Math.min(MAX_FROM_AMOUNT, amountBits * Math.LN2);
  },
  contradiction: ({ overlap: { contradictions } }) =>
    contradictions === 0 ? 0 : -CONTRADICTION * Math.min(contradictions, MAX_CONTRADICTIONS),
  failure: ({ saysItFailed }) => (saysItFailed ? -FAILURE : 0),
};

type OwnEvidence = { readonly [Name in CandidateSignal]: number };

/** What each signal of an event adds to the log-odds of all of its candidates. */
export const EVENT_EVIDENCE: {
  readonly [Name in EventSignal]: (own: readonly OwnEvidence[]) => number;
} = {
  crowd: (own) => crowding(own.map(({ base, temporal }) => base + temporal)),
};

function weighted(name: WeightedSignal): CandidateEvidence {
  return (candidate, { weights }) => {
    const part = PARTS[name].of(candidate);
    return part === null ? 0 : SCALE * weights[name] * (part - PARTS[name].neutral);
  };
}

/** Equal identifiers are not independent: an order implies its customer. Each further one adds less. */
function saturating(value: number, limit: number): number {
  return limit * (1 - Math.exp(-value / limit));
}
