import { minorUnits } from '@decision-ledger/contract/currency';
import type { Liability } from '@decision-ledger/contract/liability';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { Big } from 'big.js';
import type { Estimated } from './estimate-decision.js';
import { decimal } from './rules/amounts.js';
import type { EstimateRow } from './store/estimates.js';
import type { Model } from './stored-snapshot.js';

/** Half to even, like sums. */
const HALF_EVEN = 2;

/** Rounds an amount to the minor unit of its currency. */
export function money(amount: string, currency: string): string {
  return new Big(amount).toFixed(minorUnits(currency), HALF_EVEN);
}

/** A stored estimate as the API returns it. */
export function describeEstimate(row: EstimateRow): Liability {
  const { currency, version, revision } = row;
  return {
    exposure: money(row.exposure, currency),
    low: money(row.low, currency),
    high: money(row.high, currency),
    currency,
    version,
    revision,
    estimated_at: formatTimestamp(row.estimated_at),
    parts: {
      base_rate: row.base_rate,
      confidence_factor: row.confidence_factor,
      human_factor: row.human_factor,
      loss_probability: row.loss_probability,
      amount_at_risk: money(row.amount_at_risk, currency),
      amount_basis: row.amount_basis,
      severity: row.severity,
      response_cost: money(row.response_cost, currency),
      open_share: row.open_share,
      realised: money(row.realised, currency),
      unconverted_count: row.unconverted,
    },
  };
}

/**
 * An estimate in the form in which it is stored.
 * @param at ms
 */
export function toRow(
  { version, currency, settings }: Model,
  { estimate, unconverted }: Estimated,
  revision: number,
  at: number,
): EstimateRow {
  const { exposure, low, high, parts } = estimate;
  return {
    revision,
    estimated_at: at,
    version,
    currency,
    exposure: decimal(exposure),
    low: decimal(low),
    high: decimal(high),
    base_rate: parts.base_rate,
    confidence_factor: parts.confidence_factor,
    human_factor: parts.human_factor,
    loss_probability: parts.loss_probability,
    amount_at_risk: decimal(parts.amount_at_risk),
    amount_basis: parts.amount_basis,
    severity: parts.severity,
    response_cost: settings.response_cost,
    open_share: parts.open_share,
    realised: decimal(parts.realised),
    unconverted,
  };
}
