import type { AmountFit } from './amount-fit.js';
import type { Candidate } from './candidate-features.js';
import type { ComparedEvent } from './compared.js';
import type { Identified, Observation } from './observation.js';
import type { Sharing } from './shared-values.js';

/** Few enough decisions hold it that a single one is telling. */
const RARE_HOLDERS = 8;
const MAX_TYPES = 32;
const MAX_KEYS = 16;

export function observe(
  { eventType }: ComparedEvent,
  candidates: readonly Candidate[],
  { keys, fewestHolders }: Sharing,
): Observation {
  const amount = statedBy(candidates);
  return {
    event_type: eventType,
    keys: keys.slice(0, MAX_KEYS),
    identified: fewestHolders <= RARE_HOLDERS ? identify(candidates) : null,
    ...(amount !== undefined && { amount }),
  };
}

/** Whether the amount of the event appears among the decisions about the same thing. */
function statedBy(candidates: readonly Candidate[]): Observation['amount'] {
  const fits = candidates
    .filter(({ shared }) => shared.isHolder)
    .map(({ fit }) => AMOUNTS[fit])
    .filter((fit) => fit !== 'none');
  if (fits.length === 0) return undefined;
  return fits.includes('equal') ? 'equal' : 'other';
}

/** The only holder of the rarest identifier; of several, the only one with the equal amount. */
function identify(candidates: readonly Candidate[]): Identified | null {
  const holders = candidates.filter(({ shared }) => shared.isHolder && isTransaction(shared));
  const equal = holders.filter(({ fit }) => fit === 'equal' || fit === 'minor');
  const isOnly = holders.length === 1;
  const [one, ...others] = isOnly ? holders : equal;
  if (one === undefined || others.length > 0) return null;
  return {
    decision_id: one.decision.decisionId,
    action_type: one.decision.actionType,
    log_hours: Math.log(one.hours),
    // Of several holders, it was chosen for its amount, which therefore teaches nothing of amounts.
    amount: isOnly ? AMOUNTS[one.fit] : 'none',
    contrast: isOnly ? 'nearby' : 'holders',
    among: actionTypes(isOnly ? candidates : holders),
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
