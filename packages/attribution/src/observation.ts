import type { FeatureName } from '@decision-ledger/contract/attribution-signals';
import { isReadOnly, readOnly } from './actions.js';
import { STATED_AMOUNT, statesAmount } from './amount-fit.js';
import type { Candidate, CandidateContext, Candidates } from './candidates.js';
import { readClock } from './clocks.js';
import type { ComparedDecision } from './comparison.js';
import type { EventObservation, FeatureValues, Identified, ObservedOption } from './snapshot.js';
import { logOddsOf, type Weights } from './weights.js';

/** Few enough decisions hold it that a single one is telling. */
const RARE_HOLDERS = 8;
const MAX_TYPES = 32;
const MAX_KEYS = 16;

/** @param after decisions of after the event, which are no candidates */
export function observeEvent(
  context: CandidateContext,
  { all, sharing, usual }: Candidates,
  after: readonly ComparedDecision[],
): EventObservation {
  const { event, frequencies, weights } = context;
  const { keys, fewestHolders, candidates } = sharing;
  const amount = statedBy(all);
  const clock = readClock(context, candidates, after);
  return {
    event_type: event.eventType,
    keys: keys.slice(0, MAX_KEYS),
    identified: identify(all, fewestHolders <= RARE_HOLDERS),
    ...(amount !== undefined && { amount }),
    kinds: event.kinds,
    ...(clock !== undefined && { clock }),
    ...optionsOf(all, weights, Math.log((frequencies.decisions + 1) / (usual + 1))),
  };
}

/** Whether the amount of the event appears among the decisions about the same thing. */
function statedBy(candidates: readonly Candidate[]): EventObservation['amount'] {
  const fits = candidates
    .filter(({ shared }) => shared.isHolder)
    .map(({ fit }) => STATED_AMOUNT[fit])
    .filter((fit) => fit !== 'none');
  if (fits.length === 0) return undefined;
  return fits.includes('equal') ? 'equal' : 'other';
}

/**
 * The only holder of a rare identifier; of several candidates, the only one that states the equal amount,
 * if that or the identifier is rare.
 */
function identify(candidates: readonly Candidate[], isRare: boolean): Identified | null {
  const holders = candidates.filter(({ shared }) => shared.isHolder);
  const rare = isRare ? holders.filter(({ shared }) => shared.transactionKey > 0) : [];
  if (rare.length === 1) return identified(rare[0], candidates, 'nearby', true);
  const rivals = rare.length > 1 ? rare : holders.length > 0 ? holders : candidates;
  const [one, ...others] = rivals.filter(
    ({ fit, amountHolders }) => statesAmount(fit) && (rare.length > 1 || amountHolders === 1),
  );
  if (others.length > 0) return null;
  return identified(one, rivals, 'holders', holders.length === 0);
}

/**
 * A decision that only read or talked is no plain cause, even as the only one.
 * @param teachesAmounts a holder that was chosen for its amount says nothing of amounts
 */
function identified(
  one: Candidate | undefined,
  among: readonly Candidate[],
  contrast: Identified['contrast'],
  teachesAmounts: boolean,
): Identified | null {
  if (one === undefined || isReadOnly(one.decision.actionType)) return null;
  return {
    decision_id: one.decision.decisionId,
    action_type: one.decision.actionType,
    log_hours: Math.log(one.hours),
    amount: teachesAmounts ? STATED_AMOUNT[one.fit] : 'chosen',
    contrast,
    among: actionTypes(among),
  };
}

function actionTypes(candidates: readonly Candidate[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { decision } of candidates) {
    counts.set(decision.actionType, (counts.get(decision.actionType) ?? 0) + 1);
  }
  const all = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return all.slice(0, MAX_TYPES);
}

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
function optionsOf(
  candidates: readonly Candidate[],
  weights: Weights,
  history: number,
): Pick<EventObservation, 'sharing' | 'options' | 'transaction'> {
  const shared = candidates
    .filter(isHolder)
    .map(({ features }) => sumOf(SHARING, features, weights));
  const sharing = shared.length === 0 ? null : logSum(shared) - history;
  const options = candidates
    .map((candidate) => ({ candidate, odds: logOddsOf(candidate.features, weights) }))
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
