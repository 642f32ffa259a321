import type { Dispersion } from './experience.js';
import { betaOf, type LossTally, logBetaBinomial, sizeOf, totalOf } from './rates.js';

/** Candidate values of the relative variance between agents or versions. */
export const SPREADS = [0.01, 0.05, 0.15, 0.35, 0.7, 1.4, 2.8] as const;
/** Their weights before any experience. */
const PRIOR = [0.15, 0.15, 0.2, 0.2, 0.15, 0.1, 0.05];

export const NO_DISPERSION: Dispersion = { agents: PRIOR, versions: PRIOR };

/** Limits of the work: groups with the most losses, and members with the most decisions. */
const MAX_GROUPS = 200;
const MAX_MEMBERS = 100;

/** Points at which the unknown mean rate of a group is tried, in standard deviations. */
const POINTS = [-2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5];

/**
 * The weights of the spreads, given outcomes of groups whose members differ: Bayes' rule with the
 * Beta-binomial likelihood of each group, over its unknown mean rate.
 */
export function learnSpread(groups: readonly (readonly LossTally[])[]): number[] {
  const used = groups
    .map((members) => ({ members, total: totalOf(members) }))
    .filter(({ members, total }) => members.length > 1 && total.losses > 0)
    .sort((a, b) => b.total.losses - a.total.losses)
    .slice(0, MAX_GROUPS);
  const scores = SPREADS.map((spread, index) => {
    const prior = Math.log(PRIOR[index] ?? 1);
    return used.reduce((sum, { members, total }) => sum + evidence(members, total, spread), prior);
  });
  return softmax(scores);
}

function evidence(all: readonly LossTally[], total: LossTally, spread: number): number {
  const members = [...all].sort((a, b) => b.decisions - a.decisions).slice(0, MAX_MEMBERS);
  const rate = Math.min(0.5, total.losses / total.decisions);
  // The same points for every spread, so that their evidence is comparable.
  const deviation = Math.sqrt(1 / total.losses + 1 / members.length);
  const at = POINTS.map((point) => {
    const mean = Math.min(0.9, rate * Math.exp(point * deviation));
    const rates = betaOf(mean, sizeOf(mean, spread));
    return members.reduce((sum, member) => sum + logBetaBinomial(member, rates), 0);
  });
  const most = Math.max(...at);
  return most + Math.log(at.reduce((sum, score) => sum + Math.exp(score - most), 0));
}

function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - most));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

/** The mean of the spreads. */
export function meanSpread(weights: readonly number[]): number {
  return SPREADS.reduce((sum, spread, index) => sum + spread * (weights[index] ?? 0), 0);
}
