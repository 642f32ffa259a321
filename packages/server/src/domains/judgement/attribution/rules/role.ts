import type { FeatureValues } from './snapshot.js';
import type { Weights } from './weights.js';

/** A candidate names the case of another if its transaction counts at least half as much. */
const SAME_CASE = 2;

/**
 * The probability that no candidate did what moved the money, although they concern it: all that share its
 * identifiers only read or repeat another. One that acts leaves none of it, and so does one that was denied,
 * because money follows refusals as well, such as a chargeback.
 */
export function inactionOf(candidates: readonly FeatureValues[], weights: Weights): number {
  const holders = candidates.filter(({ ledger }) => ledger !== undefined);
  if (holders.length === 0) return 0;
  const surest = Math.max(...holders.map(keyOf));
  return holders.reduce((rest, features) => {
    const isOfCase = surest === 0 ? 1 : Math.min(1, (SAME_CASE * keyOf(features)) / surest);
    return rest * (1 - isOfCase * Math.exp(roleOf(features, weights)));
  }, 1);
}

const keyOf = ({ transaction_key = 0 }: FeatureValues): number => transaction_key;

/** The log of how often such an action has an effect. */
function roleOf(
  { read_only = 0, repetition = 0, compatibility = 0 }: FeatureValues,
  weights: Weights,
): number {
  // An action that only prompts others counts as one that acts.
  const reading = read_only < 1 ? 0 : weights.read_only;
  const own = reading + weights.repetition * repetition;
  return own === 0 ? 0 : Math.min(0, own + weights.compatibility * Math.max(0, compatibility));
}
