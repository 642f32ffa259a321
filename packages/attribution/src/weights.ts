import {
  type AttributionSettings,
  DEFAULT_ATTRIBUTION,
} from '@decision-ledger/contract/attribution';
import { byName, FEATURES, type FeatureName } from '@decision-ledger/contract/attribution-signals';
import type { FeatureValues } from './snapshot.js';

/** What is believed of a weight before any review. */
export interface WeightPrior {
  /** Log-odds for each unit of the feature. */
  readonly mean: number;
  /** Standard deviation: how far reviews may move it. 0 fixes it. */
  readonly sd: number;
}

/** A bit of rarity is ln 2 in log-odds. */
const BIT = Math.LN2;

/**
 * The priors. Reasons are probabilities that anybody can dispute; none is fitted to a data set.
 */
export const PRIORS: { readonly [Name in FeatureName]: WeightPrior } = {
  // Six of ten events that a recorded decision could have caused have such a cause.
  base: { mean: 0.4, sd: 1.5 },
  // What reviews say of events that share no identifier with any decision, beside those that do.
  apart: { mean: 0, sd: 1.5 },
  // One of n decisions: a count, not a belief.
  ledger: { mean: 1, sd: 0 },
  crowd: { mean: 1, sd: 0 },
  // A density ratio, already in log-odds.
  time: { mean: 1, sd: 0.3 },
  // An equal value says what its rarity says.
  identifier_exact: { mean: BIT, sd: 0.15 },
  // Another spelling of the same value is nearly as sure.
  identifier_canonical: { mean: 0.95 * BIT, sd: 0.15 },
  // Six equal digits of one kind: a prefix was dropped, or two series overlap.
  identifier_digits: { mean: 0.85 * BIT, sd: 0.2 },
  // A text claims an identifier, for example that of a customer who asks about it.
  identifier_text: { mean: 0.85 * BIT, sd: 0.2 },
  // One step further: what happened in the same ticket or session concerns the same money less often.
  identifier_linked: { mean: 0.7 * BIT, sd: 0.2 },
  // Values under other names agree for other reasons as well.
  other_values: { mean: 0.5 * BIT, sd: 0.2 },
  // Under "no cause", one event in fifty states the number of a recorded transaction.
  transaction_key: { mean: 4, sd: 1 },
  // The latest of several is the cause half as often again.
  latest_holder: { mean: 0.4, sd: 0.7 },
  // The same key with another value: one time in eight a cause names another one as well.
  contradiction: { mean: -2, sd: 0.7 },
  // The log of the share of causes that share no identifier.
  unmatched: { mean: -1, sd: 0.4 },
  // What a plain join names is the cause twice as often as its rivals.
  join: { mean: 0.8, sd: 0.7 },
  amount_equal: { mean: 0.95 * BIT, sd: 0.15 },
  // An integer may count other things.
  amount_minor: { mean: 0.75 * BIT, sd: 0.15 },
  // One in sixty amounts lies within one per cent by chance: nine in ten of e^4.
  amount_converted: { mean: 3, sd: 0.7 },
  amount_part: { mean: 1.2, sd: 0.6 },
  amount_sum: { mean: 2, sd: 0.6 },
  // The log of the share of causes that state another amount.
  amount_other: { mean: -1, sd: 0.3 },
  // The log of the share of causes that state no money.
  amount_unstated: { mean: -1, sd: 0.3 },
  // Of causes whose amount is in the last statement before them too, one in five adds another amount.
  amount_again: { mean: -1.6, sd: 0.7 },
  // Log ratios, already in log-odds.
  event_type: { mean: 1, sd: 0.3 },
  compatibility: { mean: 1, sd: 0.3 },
  // One in five actions with such a name moves money all the same.
  read_only: { mean: -1.6, sd: 0.7 },
  agent: { mean: 1, sd: 0.3 },
  // One repetition in ten is the one that has the effect.
  repetition: { mean: -2.2, sd: 0.7 },
  // One in twenty payments follows an action that says it failed.
  failure: { mean: -3, sd: 1 },
  unrecorded: { mean: 1, sd: 0 },
};

export type Weights = { readonly [Name in FeatureName]: number };

/** The prior means, those of each group scaled by its weight in the settings. */
export function priorWeights(settings: Pick<AttributionSettings, 'weights'>): Weights {
  return byName(FEATURES, ({ name, group }) => PRIORS[name].mean * scaleOf(settings, group) + 0);
}

/** 1 for the default weight; 0 removes the group. */
function scaleOf(
  { weights }: Pick<AttributionSettings, 'weights'>,
  group: keyof AttributionSettings['weights'] | null,
): number {
  return group === null ? 1 : weights[group] / DEFAULT_ATTRIBUTION.weights[group];
}

/** Feature × weight, summed in the order of the registry. */
export function logOddsOf(features: FeatureValues, weights: Weights): number {
  return FEATURES.reduce((sum, { name }) => sum + (features[name] ?? 0) * weights[name], 0);
}
