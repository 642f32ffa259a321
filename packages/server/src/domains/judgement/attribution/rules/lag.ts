import type { LagKnowledge } from './snapshot.js';

/** Delays with which a distribution weighs as much as all wider ones. */
const WIDER_LAGS = 5;
/** The delay to which a density is compared: ten days of a uniform background. */
export const BACKGROUND_HOURS = 240;
/** Part of the cold start with a heavy tail, because some money comes after months. */
const TAIL = 0.1;
const TAIL_HALF_LIVES = 4;
const MAX_EVIDENCE = 4;
/** Between candidates, a delay may say more than against "none", as far as delays are known. */
const MAX_BETWEEN = 8;
/** Part of all delays that follows no pattern: beyond the half-life uniform in the logarithm, to 400 days. */
const ODD = 0.1;
const ODD_LOG_RANGE = Math.log(400);

/**
 * The log of how much more usual a delay is than in a uniform background of ten days.
 * @param hours above 0
 * @param halfLife hours, of the cold start
 * @param levels what is known of delays, from the widest (the ledger) to the narrowest (the pair)
 */
export function timeEvidence(
  hours: number,
  halfLife: number,
  levels: readonly LagKnowledge[],
): number {
  const density = levels.reduce(
    (wider, lags) => {
      const known = lags.count / (lags.count + WIDER_LAGS);
      return known === 0 ? wider : known * logNormal(hours, lags) + (1 - known) * wider;
    },
    coldDensity(hours, halfLife),
  );
  const robust = (1 - ODD) * density + ODD / (ODD_LOG_RANGE * Math.max(hours, halfLife));
  const evidence = Math.log(robust * BACKGROUND_HOURS);
  const unknown = levels.reduce((rest, { count }) => rest * (WIDER_LAGS / (count + WIDER_LAGS)), 1);
  const bound = unknown * MAX_EVIDENCE + (1 - unknown) * MAX_BETWEEN;
  return Math.max(-bound, Math.min(MAX_EVIDENCE, evidence));
}

/**
 * What to add to the evidence of all rivals, so that the likeliest delay is bounded against "none" and the
 * differences between them remain: a late event is still theirs, but not each one's alike.
 */
export function timeOffset(evidence: readonly number[]): number {
  return evidence.length === 0 ? 0 : Math.max(0, -MAX_EVIDENCE - Math.max(...evidence));
}

/** So many delays are known well enough to say which are unusual. */
const KNOWN_LAGS = 8;
/** One value in twenty of a normal distribution is so many deviations above the mean, or more. */
const LATEST_TWENTIETH = 1.64;

/**
 * Whether a delay is longer than nineteen in twenty of those that are known.
 * @param levels as for the evidence: the narrowest of which enough is known decides
 */
export function isLate(hours: number, levels: readonly LagKnowledge[]): boolean {
  const known = levels.filter(({ count }) => count >= KNOWN_LAGS).at(-1);
  return known !== undefined && Math.log(hours) > known.mean + LATEST_TWENTIETH * known.sd;
}

function coldDensity(hours: number, halfLife: number): number {
  const rate = Math.LN2 / halfLife;
  const scale = TAIL_HALF_LIVES * halfLife;
  const tail = scale / (scale + hours) ** 2;
  return (1 - TAIL) * rate * Math.exp(-rate * hours) + TAIL * tail;
}

function logNormal(hours: number, { mean, sd }: LagKnowledge): number {
  const z = (Math.log(hours) - mean) / sd;
  return Math.exp(-(z * z) / 2) / (sd * hours * Math.sqrt(2 * Math.PI));
}
