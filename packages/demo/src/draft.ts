import type { DecisionBody } from '@decision-ledger/contract/decision';
import type { FinancialEventBody } from '@decision-ledger/contract/financial-event';
import { Big } from 'big.js';
import type { Customer } from './people.js';
import type { SeededRandom } from './random.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A decision of a case, without what all decisions of an agent have. */
export type DraftDecision = Pick<
  DecisionBody,
  'action_type' | 'inputs' | 'outputs' | 'confidence' | 'alternatives' | 'human_in_loop'
> & {
  /** ms. */
  readonly at: number;
  /** In addition to the version of the agent. */
  readonly metadata: NonNullable<DecisionBody['metadata']>;
};

/** Money that moved. */
export interface DraftEvent {
  readonly at: number;
  readonly body: Omit<FinancialEventBody, 'timestamp'>;
  /** The decision of the case that caused it. */
  readonly cause: number;
  /** Whether the source names the decision, so that it is linked at once. */
  readonly isNamed: boolean;
}

/** A case of an agent: its decisions, and the money that they moved. */
export interface Draft {
  readonly decisions: readonly DraftDecision[];
  readonly events: readonly DraftEvent[];
}

/** What a case is made of. */
export interface CaseContext {
  /** ms. */
  readonly at: number;
  /** Of the agent's cases, from 0. */
  readonly number: number;
  /** How much of the year has passed, from 0 to 1. */
  readonly passed: number;
  readonly random: SeededRandom;
  readonly customer: Customer;
  readonly company: Customer;
}

/** An agent of the business. */
export interface Agent {
  /** Cases, of 1,000 of the whole business. */
  readonly share: number;
  readonly hours: 'office' | 'shop' | 'always';
  /** The versions, each from a part of the year on. */
  readonly releases: readonly [Release, ...Release[]];
  readonly draft: (context: CaseContext) => Draft;
}

export interface Release {
  readonly from: number;
  readonly version: string;
  readonly model: string;
}

/** Confidence from 0 to 1 with two digits. */
export function drawConfidence(random: SeededRandom, least: number, most: number): number {
  // The mean of two draws is seldom at the edges.
  const mean = (random.between(least, most) + random.between(least, most)) / 2;
  return Math.round(mean * 100) / 100;
}

/** Decimal text of a number of cents. All currencies of the demo have two decimals. */
export function fromCents(cents: number): string {
  return new Big(cents).div(100).toFixed(2);
}

/** A share of an amount in cents, rounded to a cent. */
export function shareOf(cents: number, share: number): number {
  return Number(new Big(cents).times(share).round(0).toString());
}

/** A price as shops have it: at most `cents`, and it ends in 0.90. */
export function priceNear(cents: number): number {
  return Math.max(90, Math.round(cents / 100) * 100 - 10);
}
