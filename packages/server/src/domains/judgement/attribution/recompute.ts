import type { FeatureValues, ModelSnapshot } from '@decision-ledger/attribution/snapshot';
import { logOddsOf } from '@decision-ledger/attribution/weights';
import { FEATURES } from '@decision-ledger/contract/attribution-signals';

/** What each feature adds to the log-odds: its value times its weight. */
export function evidenceOf(
  features: FeatureValues,
  { weights }: Pick<ModelSnapshot, 'weights'>,
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
  /** Logarithm of the odds of all others that compete together; null for none. */
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
  { weights }: Pick<ModelSnapshot, 'weights'>,
): number[] {
  const logOdds = candidates.map(({ features }) => ownLogOdds(features, weights));
  const all = restLogOdds === null ? logOdds : [...logOdds, restLogOdds];
  const most = Math.max(0, ...all);
  const total = all.reduce((sum, value) => sum + Math.exp(value - most), Math.exp(-most));
  const recorded = recordedOf(candidates[0]?.features.unrecorded ?? 0, total * Math.exp(most));
  return logOdds.map((value) => {
    const share = (recorded * Math.exp(value - most)) / total;
    return Math.floor(left * share * SHARE_DIGITS) / SHARE_DIGITS;
  });
}

/**
 * The probability that the cause is recorded. The feature `unrecorded` is the log of x = n ÷ (1 − r + n) with
 * n = r ÷ total, solved for r.
 * @param total of the odds of all candidates and "none"
 */
function recordedOf(unrecorded: number, total: number): number {
  const x = Math.exp(unrecorded);
  return (x * total) / (1 - x + x * total);
}

/** The log-odds of a candidate against "none", before a part of every event is left to "none". */
export function ownLogOdds(features: FeatureValues, weights: ModelSnapshot['weights']): number {
  const { unrecorded: _unrecorded, ...own } = features;
  return logOddsOf(own, weights);
}
