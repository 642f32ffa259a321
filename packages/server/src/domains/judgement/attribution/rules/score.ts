import { type Calibration, calibrateShares, logitOf } from './calibrate.js';
import { crowding, shareOut } from './compete.js';
import {
  type Candidate,
  type Evidence,
  evidenceOf,
  logOddsOf,
  type Parts,
  partsOf,
  toProbability,
} from './evidence.js';
import { BASE_RATE, type Parameters } from './parameters.js';

/** What is believed of one candidate of an event. */
export interface Score {
  /** That it is the cause, whatever speaks for others. */
  readonly probability: number;
  /** Its part of the event's amount, in competition with the others and with no cause at all. */
  readonly share: number;
  /** Of the share before calibration: what reviews are compared with. */
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
 * @param left what links made by people leave of the event, 0 to 1
 * @returns a score for each candidate, in their order; the shares together are at most `left`
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

/** The evidence of each, with what a crowd takes from all of them. */
function evidenceOfAll(candidates: readonly Candidate[], parameters: Parameters): Evidence[] {
  const alone = candidates.map((candidate) => evidenceOf(candidate, parameters));
  const crowd = crowding(alone.map(({ base, temporal }) => base + temporal));
  return alone.map((evidence) => ({ ...evidence, crowd }));
}

/**
 * Whether a score is worth a person's look: its share is great, or it is likely by itself and the
 * others did not take from it even what a candidate has that nothing speaks for.
 */
export function isSuggested({ share, probability }: Score, parameters: Parameters): boolean {
  return (
    share >= parameters.suggest_share ||
    (share >= BASE_RATE && probability >= parameters.suggest_probability)
  );
}
