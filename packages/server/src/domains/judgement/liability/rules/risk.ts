import { isCurrency } from '@decision-ledger/contract/currency';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { Oversight } from './estimator.js';

/** What a decision says of its own risk. */
export interface Risk {
  readonly oversight: Oversight;
  readonly stated: StatedAmount | null;
}

/** An amount that the outputs state. */
export interface StatedAmount {
  /** Magnitude: decimal text. */
  readonly amount: string;
  /** Null stands for the base currency. */
  readonly currency: string | null;
}

/** What was never given, or was taken away since, is undefined. */
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

/** `outputs.amount`, as a number or as decimal text, in `outputs.currency` where there is one. */
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
  // A number below 0.000001 is written with an exponent, and is nothing that money comes in.
  return DECIMAL.exec(String(amount))?.[1] ?? null;
}
