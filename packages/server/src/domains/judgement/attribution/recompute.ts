import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import type { FeatureValues, Snapshot } from './rules/snapshot.js';

/** What each feature adds to the log-odds: its value times its weight. */
export function evidenceOf(
  features: FeatureValues,
  { weights }: Pick<Snapshot, 'weights'>,
): Record<string, number> {
  const evidence: Record<string, number> = {};
  for (const { name } of FEATURES) {
    const value = features[name];
    if (value !== undefined) evidence[name] = value * weights[name];
  }
  return evidence;
}

/** A stored score of an event. */
export interface StoredScore {
  readonly candidates: readonly { readonly features: FeatureValues }[];
  /** Logarithm of the odds of all other candidates together; null for none. */
  readonly restLogOdds: number | null;
  /** Share of the event that human links left. */
  readonly left: number;
}

/** Shares are rounded down to six decimals. */
const SHARE_DIGITS = 1e6;

/**
 * Works the shares of the stored candidates out again, from their features and the model that the score
 * names.
 */
export function recomputeShares(
  { candidates, restLogOdds, left }: StoredScore,
  snapshot: Pick<Snapshot, 'weights'>,
): number[] {
  const logOdds = candidates.map(({ features }) =>
    Object.values(evidenceOf(features, snapshot)).reduce((sum, part) => sum + part, 0),
  );
  const all = restLogOdds === null ? logOdds : [...logOdds, restLogOdds];
  const most = Math.max(0, ...all);
  const total = all.reduce((sum, value) => sum + Math.exp(value - most), Math.exp(-most));
  return logOdds.map(
    (value) =>
      Math.floor(((left * Math.exp(value - most)) / total) * SHARE_DIGITS) / SHARE_DIGITS,
  );
}
