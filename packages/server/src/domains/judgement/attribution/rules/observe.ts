import { STATED_AMOUNT, statesAmount } from './amount-fit.js';
import type { Candidate, Candidates } from './candidate-features.js';
import type { ComparedEvent } from './compared.js';
import type { Identified, Observation } from './observation.js';
import { optionsOf } from './observed-options.js';
import { isReadOnly } from './read-only.js';
import type { Weights } from './weights.js';

/** Few enough decisions hold it that a single one is telling. */
const RARE_HOLDERS = 8;
const MAX_TYPES = 32;
const MAX_KEYS = 16;

interface Context {
  /** How many there are in the ledger. */
  readonly decisions: number;
  readonly weights: Weights;
}

export function observe(
  event: ComparedEvent,
  { all, sharing: { keys, fewestHolders }, usual }: Candidates,
  { decisions, weights }: Context,
): Observation {
  const amount = statedBy(all);
  return {
    event_type: event.eventType,
    keys: keys.slice(0, MAX_KEYS),
    identified: identify(all, fewestHolders <= RARE_HOLDERS),
    ...(amount !== undefined && { amount }),
    kinds: event.kinds,
    ...optionsOf(all, weights, Math.log((decisions + 1) / (usual + 1))),
  };
}

/** Whether the amount of the event appears among the decisions about the same thing. */
function statedBy(candidates: readonly Candidate[]): Observation['amount'] {
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
