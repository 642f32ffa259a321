import type { FeatureName } from '@decision-ledger/contract/attribution-signals';
import { STATED_AMOUNT } from './amount-fit.js';
import type { Candidate } from './candidate-features.js';
import { logOddsOf } from './log-odds.js';
import type { Observation, ObservedOption } from './observation.js';
import { readOnly } from './read-only.js';
import type { FeatureValues } from './snapshot.js';
import type { Weights } from './weights.js';

/** What speaks for a cause that states the amount. */
const AMOUNTS = [
  ...(['amount_equal', 'amount_minor', 'amount_converted', 'amount_part', 'amount_sum'] as const),
];
const MAX_OPTIONS = 10;
/** Digits after the point: options are stored for every event. */
const DIGITS = 3;

/** What is learned from the options. */
const LEARNED = ['base', 'apart', 'event_type', 'time', 'compatibility', 'amount_other'] as const;
/** What says which candidates share how much. */
const SHARING = [
  ...(['ledger', 'identifier_exact', 'identifier_canonical', 'identifier_digits'] as const),
  ...([
    'identifier_text',
    'identifier_linked',
    'transaction_key',
    'latest_holder',
    'join',
  ] as const),
];

/**
 * The likeliest candidates, and the level of "none" before their delays and amounts. What holders share
 * says which of them is the cause, and that one is; without a cause, the delay of each is as likely as any in
 * the history of the ledger.
 * @param history log of the history against the time to which delays are compared
 */
export function optionsOf(
  candidates: readonly Candidate[],
  weights: Weights,
  history: number,
): Pick<Observation, 'sharing' | 'options' | 'transaction'> {
  const odds = candidates.map(({ features }) => logOddsOf(features, weights));
  const shared = candidates
    .filter(isHolder)
    .map(({ features }) => sumOf(SHARING, features, weights));
  const sharing = shared.length === 0 ? null : logSum(shared) - history;
  const options = candidates
    .map((candidate, at) => ({ candidate, odds: odds[at] ?? 0 }))
    .sort((a, b) => b.odds - a.odds)
    .slice(0, MAX_OPTIONS)
    .map(({ candidate, odds: own }): ObservedOption => {
      const { decision, hours, features, fit } = candidate;
      const known = sumOf(LEARNED, features, weights) + (isHolder(candidate) ? (sharing ?? 0) : 0);
      return [
        decision.actionType,
        rounded(Math.log(hours)),
        rounded(own - known),
        STATED_AMOUNT[fit],
        rounded(sumOf(AMOUNTS, features, weights)),
      ];
    });
  const mayAct = candidates.filter(({ decision }) => readOnly(decision.actionType) < 1);
  const transaction = Math.max(0, ...mayAct.map(({ shared: own }) => own.transactionKey));
  return {
    sharing: sharing === null ? null : rounded(sharing),
    options,
    transaction: rounded(transaction),
  };
}

const isHolder = ({ shared }: Candidate): boolean => shared.matches.ids.length > 0;

const sumOf = (names: readonly FeatureName[], features: FeatureValues, weights: Weights): number =>
  names.reduce((sum, name) => sum + (features[name] ?? 0) * weights[name], 0);

function logSum(values: readonly number[]): number {
  const most = Math.max(...values);
  return most + Math.log(values.reduce((sum, value) => sum + Math.exp(value - most), 0));
}

const rounded = (value: number): number => Number(value.toFixed(DIGITS));
