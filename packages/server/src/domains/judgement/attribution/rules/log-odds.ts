import { FEATURES } from '@decision-ledger/contract/attribution-signals';
import type { FeatureValues } from './snapshot.js';
import type { Weights } from './weights.js';

/** Feature × weight, summed in the order of the registry. */
export function logOddsOf(features: FeatureValues, weights: Weights): number {
  return FEATURES.reduce((sum, { name }) => sum + (features[name] ?? 0) * weights[name], 0);
}
