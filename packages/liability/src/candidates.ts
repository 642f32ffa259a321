import { plus } from '@decision-ledger/amounts/decimals';
import { RANKS, type Rank } from './amount-keys.js';

/** An amount that a payload states: one of several among which the amount at risk is chosen. */
export interface Candidate {
  /** Whether somebody asked for it, instead of the decision approving it. */
  readonly isClaim: boolean;
  /** Magnitude in major units: decimal text. */
  readonly amount: string;
  /** Null means the base currency. */
  readonly currency: string | null;
  readonly rank: Rank;
  /** Whether a key names what the action is about. */
  readonly isNamed: boolean;
}

/** The best of the amounts that are claims, or of those that are none. */
export function best(candidates: readonly Candidate[], isClaim: boolean): Candidate | null {
  let chosen: Candidate | null = null;
  for (const one of candidates) {
    if (one.isClaim === isClaim && (chosen === null || isBetter(one, chosen))) chosen = one;
  }
  return chosen;
}

/** What was approved by name, then what names the action, then what stands for most, then the largest. */
function isBetter(one: Candidate, other: Candidate): boolean {
  const byApproval = Number(one.rank === 'approved') - Number(other.rank === 'approved');
  const byName = Number(one.isNamed) - Number(other.isNamed);
  const order = byApproval || byName || RANKS[one.rank] - RANKS[other.rank];
  return order === 0 ? Number(one.amount) > Number(other.amount) : order > 0;
}

/**
 * Line items and batches add up: the best amount of each element, for each currency. What one element approves
 * counts before what it repeats of a claim.
 */
export function addUp(elements: readonly (readonly Candidate[])[]): Candidate[] {
  const sums = new Map<string, Candidate>();
  for (const candidates of elements) {
    const one = best(candidates, false) ?? best(candidates, true);
    if (one === null) continue;
    const key = `${one.isClaim} ${one.currency}`;
    const before = sums.get(key);
    sums.set(key, before === undefined ? asSum(one) : added(before, asSum(one)));
  }
  return [...sums.values()];
}

/** An amount beside a list stands for the whole rather than the sum of the list does. */
function asSum(one: Candidate): Candidate {
  const { isClaim, amount, currency, rank, isNamed } = one;
  const isMore = rank !== 'approved' && RANKS[rank] > RANKS.list;
  return isMore ? { isClaim, amount, currency, rank: 'list', isNamed } : one;
}

function added(one: Candidate, other: Candidate): Candidate {
  return {
    isClaim: one.isClaim,
    amount: plus(one.amount, other.amount),
    currency: one.currency,
    rank: RANKS[other.rank] > RANKS[one.rank] ? other.rank : one.rank,
    isNamed: one.isNamed || other.isNamed,
  };
}
