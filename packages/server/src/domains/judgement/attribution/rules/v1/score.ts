import { type Calibration, calibrateShares, logitOf } from './calibrate.js';
import { shareOut } from './compete.js';
import {
  type Evidence,
  evidenceOf,
  evidenceOfAll,
  logOddsOf,
  type Parts,
  partsOf,
  toProbability,
} from './evidence.js';
import { BASE_RATE, type Parameters } from './parameters.js';
import type { Candidate } from './signals.js';

/** The result for one candidate of an event. */
export interface Score {
  /** Probability that it is a cause, regardless of the other candidates. */
  readonly probability: number;
  /** Its share of the event, in competition with the other candidates and with no cause at all. */
  readonly share: number;
  /** Log-odds of the share before calibration, which reviews calibrate. */
  readonly rawLogit: number;
  readonly parts: Parts;
  readonly evidence: Evidence;
}

export interface Model {
  readonly parameters: Parameters;
  readonly calibration: Calibration;
}

/**
 * Scores the candidates of one event against each other.
 * @param left share of the event without a confirmed link, 0 to 1
 * @returns a score for each candidate, in their order; the sum of the shares is at most `left`
 */
export function scoreCandidates(
  candidates: readonly Candidate[],
  left: number,
  { parameters, calibration }: Model,
): Score[] {
  const evidence = evidenceOfAll(candidates, parameters);
  const logOdds = evidence.map(logOddsOf);
  const raw = shareOut(logOdds, left);
  const shares = calibrateShares(raw, left, calibration);
  return candidates.map((candidate, index) => ({
    probability: toProbability(logOdds[index] ?? 0),
    share: shares[index] ?? 0,
    rawLogit: logitOf(left === 0 ? 0 : (raw[index] ?? 0) / left),
    parts: partsOf(candidate),
    evidence: evidence[index] ?? evidenceOf(candidate, parameters),
  }));
}

/**
 * Whether a link is suggested: its share reaches the threshold, or its probability does and its share
 * is at least that of a candidate without evidence.
 */
export function isSuggested({ share, probability }: Score, parameters: Parameters): boolean {
  return (
    share >= parameters.suggest_share ||
    (share >= BASE_RATE && probability >= parameters.suggest_probability)
  );
}
