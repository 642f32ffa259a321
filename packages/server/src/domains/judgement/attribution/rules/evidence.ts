import {
  BASE_RATE,
  CONTRADICTION,
  FAILURE,
  MAX_CONTRADICTIONS,
  MAX_FROM_AMOUNT,
  MAX_FROM_IDS,
  NEUTRAL,
  OTHER_AMOUNT,
  type Parameters,
  SCALE,
} from './parameters.js';

/** What two sides have in common, of which each value weighs what it says: −log2 of its frequency. */
export interface Overlap {
  /** Bits of the metadata pairs that agree, and of all over keys that both sides have. */
  readonly agreeingBits: number;
  readonly comparedBits: number;
  /** Bits of the identifiers that both sides hold. */
  readonly idBits: number;
  /** Keys under which both sides hold identifiers, none of them the same. */
  readonly contradictions: number;
  /** Bits of the event's amount where the decision states it, null where it states others alone. */
  readonly amountBits: number | null;
  readonly statesAmounts: boolean;
}

/** All that is known of one candidate. A part that is null is missing: it adds nothing. */
export interface Candidate {
  readonly overlap: Overlap;
  /** Hours from the decision to the event; a decision just after the event counts as 0. */
  readonly hours: number;
  readonly halfLifeHours: number;
  /** Mean of what reviews said of this agent, action type and event type; null before any. */
  readonly agentPattern: number | null;
  readonly amountPlausibility: number | null;
  readonly saysItFailed: boolean;
}

/** What each piece of evidence adds to the log-odds. Their sum and the base make the probability. */
export interface Evidence {
  readonly base: number;
  readonly temporal: number;
  readonly metadata: number;
  readonly agent_pattern: number;
  readonly amount: number;
  readonly identifiers: number;
  readonly stated_amount: number;
  readonly contradiction: number;
  readonly failure: number;
  /** Zero, or less where many candidates are as near in time. */
  readonly crowd: number;
}

/** The four weighted parts, each in [0, 1]; null where the evidence is missing. */
export interface Parts {
  readonly temporal: number;
  readonly metadata: number | null;
  readonly agent_pattern: number | null;
  readonly amount: number | null;
}

export function partsOf({ overlap, hours, halfLifeHours, ...rest }: Candidate): Parts {
  const { agreeingBits, comparedBits } = overlap;
  return {
    temporal: 2 ** (-Math.max(0, hours) / halfLifeHours),
    metadata: comparedBits > 0 ? agreeingBits / comparedBits : null,
    agent_pattern: rest.agentPattern,
    amount: rest.amountPlausibility,
  };
}

/** Additive evidence in log-odds (Fellegi and Sunter, 1969). */
export function evidenceOf(candidate: Candidate, { weights }: Parameters): Evidence {
  const parts = partsOf(candidate);
  const weigh = (name: keyof Parts): number => {
    const part = parts[name];
    return part === null ? 0 : SCALE * weights[name] * (part - NEUTRAL[name]);
  };
  const { idBits, contradictions } = candidate.overlap;
  return {
    base: Math.log(BASE_RATE / (1 - BASE_RATE)),
    temporal: weigh('temporal'),
    // Agreement is worth no more than what it says: env=prod agrees with everything.
    metadata: Math.min(weigh('metadata'), candidate.overlap.agreeingBits * Math.LN2),
    agent_pattern: weigh('agent_pattern'),
    amount: weigh('amount'),
    identifiers: saturating(idBits * Math.LN2, MAX_FROM_IDS),
    stated_amount: fromAmounts(candidate.overlap),
    contradiction:
      contradictions === 0 ? 0 : -CONTRADICTION * Math.min(contradictions, MAX_CONTRADICTIONS),
    failure: candidate.saysItFailed ? -FAILURE : 0,
    crowd: 0,
  };
}

function fromAmounts({ amountBits, statesAmounts }: Overlap): number {
  if (amountBits === null) return statesAmounts ? -OTHER_AMOUNT : 0;
  return Math.min(MAX_FROM_AMOUNT, amountBits * Math.LN2);
}

/** Equal identifiers depend on each other: an order implies its customer. More tell less and less. */
function saturating(value: number, most: number): number {
  return most * (1 - Math.exp(-value / most));
}

export function logOddsOf(evidence: Evidence): number {
  return Object.values(evidence).reduce<number>((sum, part) => sum + part, 0);
}

export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
