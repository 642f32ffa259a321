// Generated from the contract by scripts/client-types.js.

import type { Page, PageQuery, Timestamp } from './shared.js';

export interface Liability {
  /** Expected cost, including realised losses in the same currency. Decimal, to the minor unit of the currency. */
  readonly expected: string;
  /** 5th percentile of the uncertainty of that expectation. Decimal, to the minor unit of the currency. */
  readonly expected_low: string;
  /** 95th percentile of the uncertainty of that expectation. Decimal, to the minor unit of the currency. */
  readonly expected_high: string;
  /** What may still be lost: `expected` without the realised losses in it. Decimal, to the minor unit of the currency. */
  readonly open: string;
  /** Median cost of a loss, should there be one. Decimal, to the minor unit of the currency. */
  readonly loss_if_any_p50: string;
  /** 95th percentile of that cost. Decimal, to the minor unit of the currency. */
  readonly loss_if_any_p95: string;
  /** The base currency at the time of the estimate (ISO 4217); that of the stated amount if no rate converts it. */
  readonly currency: string;
  /** Version of the model. */
  readonly version: string;
  /** The settings and outcomes that it was made with, as of the model endpoint. */
  readonly snapshot: number;
  /** From 0; incremented when the exposure changes by at least one minor unit. */
  readonly revision: number;
  readonly estimated_at: Timestamp;
  readonly parts: {
    /** Probability of a loss for decisions of the action type. */
    readonly base_rate: number;
    /** `prior`: the base rate stems from the benchmark or the matrix, because few outcomes are known. */
    readonly rate_basis: 'prior' | 'experience';
    /** Loss rate of the agent ÷ that of the action type. */
    readonly agent_factor: number;
    /** Loss rate of the version of the agent ÷ that of the agent. */
    readonly version_factor: number;
    /** Effect of the confidence on the odds of a loss. */
    readonly confidence_factor: number;
    /** Effect of a human in the loop on the odds of a loss. */
    readonly human_factor: number;
    /** Effect of the stated amount on the odds of a loss, and of the lower limit of the probability. */
    readonly amount_factor: number;
    /** Probability of a loss for this decision. */
    readonly loss_probability: number;
    /** Relative variance of the expected cost. */
    readonly uncertainty: number;
    /** The amount that could be lost. Decimal, to the minor unit of the currency. */
    readonly amount_at_risk: string;
    /** Source of that amount. approved: the decision states it. claimed: somebody asked for it. denied: nothing, because the decision was denied or failed. read: nothing, because it looks up, asks or advises. Otherwise the links, the median of the action type, or the risk matrix. */
    readonly amount_basis:
      | 'approved'
      | 'claimed'
      | 'denied'
      | 'read'
      | 'linked'
      | 'median'
      | 'matrix';
    /** Whether the stated amount is beyond ten times the largest that was approved before for the action type. A claim that is one does not count. */
    readonly outlier: boolean;
    /** Share of that amount that a loss takes on average. */
    readonly severity: number;
    /** Standard deviation of the logarithm of that share. */
    readonly severity_spread: number;
    /** Cost of handling a loss, in addition to the amount. Decimal, to the minor unit of the currency. */
    readonly response_cost: string;
    /** Remaining share of the loss horizon, 1 at first. */
    readonly open_share: number;
    /** Net loss on confirmed links to date. Decimal, to the minor unit of the currency. */
    readonly realised: string;
    /** The base currency. It differs from `currency` where no rate converts the amount. */
    readonly realised_currency: string;
    /** Amounts excluded because no exchange rate applies. */
    readonly unconverted_count: number;
  };
}

export interface LiabilityHistory extends Page {
  /** Newest first; the first is the current one. */
  readonly estimates: readonly Liability[];
}

export type LiabilityHistoryQuery = PageQuery;
