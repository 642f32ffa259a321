import { isCurrency } from '@decision-ledger/contract/currency';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Oversight } from './estimator.js';

/** Facts about the risk of a decision that its payload states. */
export interface Risk {
  readonly oversight: Oversight;
  readonly stated: StatedAmount | null;
}

/** An amount that the outputs state. */
export interface StatedAmount {
  /** Magnitude: decimal text. */
  readonly amount: string;
  /** Null means the base currency. */
  readonly currency: string | null;
}

/** Fields that were not recorded or were erased are undefined. */
interface Payload {
  readonly human_in_loop?: boolean | undefined;
  readonly metadata?: DecisionBody['metadata'] | undefined;
  readonly outputs?: DecisionBody['outputs'] | undefined;
}

export function readRisk({ human_in_loop, metadata, outputs }: Payload): Risk {
  return {
    oversight: hasReviewer(metadata) ? 'reviewer' : human_in_loop ? 'human_in_loop' : 'none',
    stated: outputs === undefined ? null : readStated(outputs),
  };
}

function hasReviewer(metadata: Payload['metadata']): boolean {
  const reviewer = metadata?.reviewer_id;
  return typeof reviewer === 'number' || (typeof reviewer === 'string' && reviewer.trim() !== '');
}

/** `outputs.amount`, a number or decimal text, in `outputs.currency` if given. */
function readStated({ amount, currency }: DecisionBody['outputs']): StatedAmount | null {
  const magnitude = readMagnitude(amount);
  if (magnitude === null) return null;
  if (currency === undefined || currency === null) return { amount: magnitude, currency: null };
  if (typeof currency !== 'string' || !isCurrency(currency)) return null;
  return { amount: magnitude, currency };
}

const DECIMAL = /^-?((?:0|[1-9][0-9]{0,19})(?:\.[0-9]{1,20})?)$/;

function readMagnitude(amount: unknown): string | null {
  if (typeof amount !== 'string' && typeof amount !== 'number') return null;
  // String() writes numbers below 0.000001 with an exponent; they are not amounts of money.
  return DECIMAL.exec(String(amount))?.[1] ?? null;
}
