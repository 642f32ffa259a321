import {
  CANDIDATE_SIGNALS,
  EVENT_SIGNALS,
  type SignalName,
  WEIGHTED_SIGNALS,
  type WeightedSignal,
} from '@decision-ledger/contract/attribution-signals';
import { byName } from '@decision-ledger/contract/by-name';
import type { Parameters } from './parameters.js';
import { CANDIDATE_EVIDENCE, type Candidate, EVENT_EVIDENCE, PARTS } from './signals.js';

/** What each signal adds to the log-odds. */
export type Evidence = { readonly [Name in SignalName]: number };

/** The weighted parts, each from 0 to 1; null without evidence. */
export type Parts = { readonly [Name in WeightedSignal]: number | null };

export function partsOf(candidate: Candidate): Parts {
  return byName(WEIGHTED_SIGNALS, ({ name }) => PARTS[name].of(candidate));
}

/** Additive evidence in log-odds (Fellegi and Sunter, 1969), without that of the event. */
export function evidenceOf(candidate: Candidate, parameters: Parameters): Evidence {
  const own = byName(CANDIDATE_SIGNALS, ({ name }) =>
    CANDIDATE_EVIDENCE[name](candidate, parameters),
  );
  return { ...own, ...byName(EVENT_SIGNALS, () => 0) };
}

/** @returns the evidence of each candidate of one event, in their order */
export function evidenceOfAll(
  candidates: readonly Candidate[],
  parameters: Parameters,
): Evidence[] {
  const alone = candidates.map((candidate) => evidenceOf(candidate, parameters));
  const shared = byName(EVENT_SIGNALS, ({ name }) => EVENT_EVIDENCE[name](alone));
  return alone.map((evidence) => ({ ...evidence, ...shared }));
}

/** Evidence of the candidates first, that of the event last: the order decides the rounding. */
const SUMMED = [...CANDIDATE_SIGNALS, ...EVENT_SIGNALS];

export function logOddsOf(evidence: Evidence): number {
  return SUMMED.reduce((sum, { name }) => sum + evidence[name], 0);
}

export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
