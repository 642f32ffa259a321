import type { AmountFit } from './amount-fit.js';
import type { Candidate } from './candidate-features.js';
import type { ComparedEvent } from './compared.js';
import { logOddsOf } from './log-odds.js';
import type { Identified, Observation, ObservedOption } from './observation.js';
import type { Sharing } from './shared-values.js';
import type { Weights } from './weights.js';

/** Few enough decisions hold it that a single one is telling. */
const RARE_HOLDERS = 8;
const MAX_TYPES = 32;
const MAX_KEYS = 16;

export function observe(
  { eventType }: ComparedEvent,
  candidates: readonly Candidate[],
  { keys, fewestHolders }: Sharing,
  weights: Weights,
): Observation {
  const amount = statedBy(candidates);
  return {
    event_type: eventType,
    keys: keys.slice(0, MAX_KEYS),
    identified: identify(candidates, fewestHolders <= RARE_HOLDERS),
    ...(amount !== undefined && { amount }),
    ...optionsOf(candidates, weights),
  };
}

const MAX_OPTIONS = 10;
/** Digits after the point: options are stored for every event. */
const DIGITS = 3;

/** The likeliest candidates, and the level of "none" that all of them share. */
function optionsOf(
  candidates: readonly Candidate[],
  weights: Weights,
): Pick<Observation, 'level' | 'options'> {
  const level = levelOf(candidates, weights);
  const options = candidates
    .map((candidate) => ({ candidate, odds: logOddsOf(candidate.features, weights) }))
    .sort((a, b) => b.odds - a.odds)
    .slice(0, MAX_OPTIONS)
    .map(({ candidate: { decision, hours, features }, odds }): ObservedOption => {
      const learned = LEARNED.reduce(
        (sum, name) => sum + (features[name] ?? 0) * weights[name],
        0,
      );
      return [decision.actionType, rounded(Math.log(hours)), rounded(odds - learned - level)];
    });
  return { level: rounded(level), options };
}

/** What is learned from the options. */
const LEARNED = ['event_type', 'time', 'compatibility', 'amount_other'] as const;

/**
 * What follows from sharing an identifier at all. Some holder is always the latest: that one is says
 * something of the others, not of "none".
 */
function levelOf(candidates: readonly Candidate[], weights: Weights): number {
  const holders = candidates.filter(({ shared }) => shared.matches.ids.length > 0);
  if (holders.length === 0) return weights.base;
  const odds = holders.map(({ features: { join = 0, latest_holder = 0, transaction_key = 0 } }) =>
    Math.exp(
      weights.join * join +
        weights.latest_holder * latest_holder +
        weights.transaction_key * transaction_key,
    ),
  );
  return weights.base + Math.log(odds.reduce((sum, value) => sum + value, 0) / odds.length);
}

const rounded = (value: number): number => Number(value.toFixed(DIGITS));

/** Whether the amount of the event appears among the decisions about the same thing. */
function statedBy(candidates: readonly Candidate[]): Observation['amount'] {
  const fits = candidates
    .filter(({ shared }) => shared.isHolder)
    .map(({ fit }) => AMOUNTS[fit])
    .filter((fit) => fit !== 'none');
  if (fits.length === 0) return undefined;
  return fits.includes('equal') ? 'equal' : 'other';
}

/**
 * The only holder of a rare identifier; of several candidates, the only one that states the equal amount,
 * if that or the identifier is rare.
 */
function identify(candidates: readonly Candidate[], isRare: boolean): Identified | null {
  const rare = isRare
    ? candidates.filter(({ shared }) => shared.isHolder && isTransaction(shared))
    : [];
  if (rare.length === 1) return identified(rare[0], candidates, 'nearby');
  const holders = candidates.filter(({ shared }) => shared.isHolder);
  const rivals = rare.length > 1 ? rare : holders.length > 0 ? holders : candidates;
  const [one, ...others] = rivals.filter(
    ({ fit, amountHolders }) =>
      (fit === 'equal' || fit === 'minor') && (rare.length > 1 || amountHolders === 1),
  );
  return others.length > 0 ? null : identified(one, rivals, 'holders');
}

function identified(
  one: Candidate | undefined,
  among: readonly Candidate[],
  contrast: Identified['contrast'],
): Identified | null {
  if (one === undefined) return null;
  return {
    decision_id: one.decision.decisionId,
    action_type: one.decision.actionType,
    log_hours: Math.log(one.hours),
    // One of several was chosen for its amount, which therefore teaches nothing of amounts.
    amount: contrast === 'nearby' ? AMOUNTS[one.fit] : 'none',
    contrast,
    among: actionTypes(among),
  };
}

const isTransaction = ({ transactionKey }: Candidate['shared']): boolean => transactionKey > 0;

const AMOUNTS: { readonly [Fit in AmountFit]: Identified['amount'] } = {
  ...{ equal: 'equal', minor: 'equal', converted: 'equal', sum: 'equal', part: 'equal' },
  ...{ below: 'other', other: 'other', none: 'none' },
};

function actionTypes(candidates: readonly Candidate[]): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { decision } of candidates) {
    counts.set(decision.actionType, (counts.get(decision.actionType) ?? 0) + 1);
  }
  const all = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return all.slice(0, MAX_TYPES);
}
