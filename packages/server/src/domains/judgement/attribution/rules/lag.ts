import type { LagKnowledge } from './snapshot.js';

/** Delays with which a distribution weighs as much as all wider ones. */
const WIDER_LAGS = 5;
/** The delay to which a density is compared: ten days of a uniform background. */
const BACKGROUND_HOURS = 240;
/** Part of the cold start with a heavy tail, because some money comes after months. */
const TAIL = 0.1;
const TAIL_HALF_LIVES = 4;
const MAX_EVIDENCE = 4;

/**
 * The log of how much more usual a delay is than in a uniform background of ten days. Bounded.
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
  const evidence = Math.log(Math.max(density * BACKGROUND_HOURS, Number.MIN_VALUE));
  return Math.max(-MAX_EVIDENCE, Math.min(MAX_EVIDENCE, evidence));
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
