import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import { minorUnits } from '@decision-ledger/contract/currency';
import type { Liability } from '@decision-ledger/contract/liability';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Estimate, Facts } from '@decision-ledger/liability/estimator';
import { oddsOf } from '@decision-ledger/liability/rates';
import type { Risk } from '@decision-ledger/liability/risk';
import { Big } from 'big.js';
import { numericText } from './rules/amounts.js';
import type { EstimateRow, Figures, OwnFigures } from './store/estimate-columns.js';
import type { EstimationModel } from './stored-snapshot.js';

/** A stored estimate as the API returns it. Each member is named: every receipt has one, and spreading costs more. */
export function describeEstimate(row: EstimateRow): Liability {
  const { version, revision } = row;
  const shown = row.own_currency ?? row.currency;
  const { expected, expected_low, expected_high, open } = figuresOf(row);
  return {
    expected,
    expected_low,
    expected_high,
    open,
    loss_if_any_p50: roundToMinorUnit(row.loss_p50, shown),
    loss_if_any_p95: roundToMinorUnit(row.loss_p95, shown),
    currency: shown,
    version,
    snapshot: row.snapshot_id,
    revision,
    estimated_at: formatTimestamp(row.estimated_at),
    parts: {
      base_rate: row.base_rate,
      rate_basis: row.is_prior ? 'prior' : 'experience',
      agent_factor: row.agent_factor,
      version_factor: row.version_factor,
      confidence_factor: row.confidence_factor,
      human_factor: row.human_factor,
      amount_factor: amountFactorOf(row),
      loss_probability: row.loss_probability,
      uncertainty: row.uncertainty,
      amount_at_risk: roundToMinorUnit(row.amount_at_risk, shown),
      amount_basis: row.amount_basis,
      outlier: row.outlier,
      severity: row.severity,
      severity_spread: row.severity_spread,
      response_cost: roundToMinorUnit(row.own_currency === null ? row.response_cost : '0', shown),
      open_share: row.open_share,
      realised: roundToMinorUnit(row.realised, row.currency),
      realised_currency: row.currency,
      unconverted_count: row.unconverted,
    },
  };
}

/** What the other factors leave of the odds of a loss. It is not stored: they fix it. */
function amountFactorOf(row: EstimateRow): number {
  const rate = row.base_rate * row.agent_factor * row.version_factor;
  const others = oddsOf(rate) * row.confidence_factor * row.human_factor;
  return Math.round((oddsOf(row.loss_probability) / others) * 1e6) / 1e6;
}

/** The figures of an estimate in the currency that they are in. */
function figuresOf(row: EstimateRow) {
  const { exposure, low, high, currency } = shownFigures(row);
  const expected = roundToMinorUnit(exposure, currency);
  return {
    expected,
    expected_low: roundToMinorUnit(low, currency),
    expected_high: roundToMinorUnit(high, currency),
    // The losses are in the base currency: an exposure in another one holds none of them.
    open: row.own_currency === null ? openOf(expected, row) : expected,
  };
}

/** As printed, so that it and the realised losses add up to what is expected. */
function openOf(expected: string, { realised, currency }: EstimateRow): string {
  const lost = roundToMinorUnit(realised, currency);
  if (Number(lost) === 0) return expected;
  return new Big(expected).minus(lost).toFixed(minorUnits(currency));
}

/** What is shown of an estimate: in the own currency of an amount that no rate converts. */
export function shownFigures(
  row: Pick<EstimateRow, 'exposure' | 'low' | 'high' | 'currency'> & Partial<EstimateRow>,
): OwnFigures {
  const { own_currency, own_exposure, own_low, own_high } = row;
  if (own_currency == null || own_exposure == null) return row;
  return {
    currency: own_currency,
    exposure: own_exposure,
    low: own_low ?? own_exposure,
    high: own_high ?? own_exposure,
  };
}

/**
 * An estimate in the form in which it is stored, with the sums that it adds to the cells.
 * @param at ms
 */
export function toFigures(
  { snapshotId, version, currency, settings }: EstimationModel,
  { estimate, ownCurrency, realised, unconverted }: Estimated,
  revision: number,
  at: number,
): Figures {
  const { expected, low, high, lossIfAny, parts } = estimate;
  const isOwn = ownCurrency !== null;
  const cost = parts.severity * parts.amount_at_risk + parts.response_cost;
  const events = isOwn || cost === 0 ? 0 : parts.loss_probability * parts.open_share;
  const base = numericText(realised);
  return {
    stake: isOwn ? 0 : cost * parts.open_share,
    events,
    sizes: events * cost * cost,
    estimate: {
      snapshot_id: snapshotId,
      revision,
      estimated_at: at,
      version,
      currency,
      exposure: isOwn ? base : numericText(expected),
      low: isOwn ? base : numericText(low),
      high: isOwn ? base : numericText(high),
      own_currency: ownCurrency,
      own_exposure: isOwn ? numericText(expected) : null,
      own_low: isOwn ? numericText(low) : null,
      own_high: isOwn ? numericText(high) : null,
      base_rate: parts.base_rate,
      agent_factor: parts.agent_factor,
      version_factor: parts.version_factor,
      confidence_factor: parts.confidence_factor,
      human_factor: parts.human_factor,
      loss_probability: parts.loss_probability,
      uncertainty: parts.uncertainty,
      is_prior: parts.is_prior,
      amount_at_risk: numericText(parts.amount_at_risk),
      amount_basis: parts.amount_basis,
      outlier: parts.outlier,
      severity: parts.severity,
      severity_spread: parts.severity_spread,
      loss_p50: numericText(lossIfAny.p50),
      loss_p95: numericText(lossIfAny.p95),
      response_cost: settings.response_cost,
      open_share: parts.open_share,
      realised: base,
      unconverted,
    },
  };
}

/** The facts of a decision that its estimate depends on. */
export interface EstimateSubject extends Risk {
  readonly agentId: string;
  readonly actionType: string;
  readonly confidence: number;
  /** ms. */
  readonly timestamp: number;
}

/** The money of a decision's links, in the base currency. */
export interface LinkedMoney {
  /** Sum of the shares of all links that are not deleted. */
  readonly linked: Big;
  /** Net loss on confirmed links. */
  readonly lost: Big;
  /** Number of amounts that no rate converts. */
  readonly unconverted: number;
  /** Whether an amount is in another currency. */
  readonly isConverted: boolean;
}

interface Estimated {
  /** In `currency`. */
  readonly estimate: Estimate;
  /** That of a stated amount that no rate converts; else null, for the base currency. */
  readonly ownCurrency: string | null;
  /** Net loss on confirmed links, in the base currency. */
  readonly realised: number;
  readonly unconverted: number;
}

/**
 * Estimates a decision. A stated amount that no rate converts is estimated in its own currency, without the
 * response cost and the losses, which are in the base currency.
 * @param money null if the decision has no links
 * @param asOf ms
 */
export function estimateDecision(
  { convert, currency, estimator }: EstimationModel,
  subject: EstimateSubject,
  money: LinkedMoney | null,
  asOf: number,
): Estimated {
  const { provenance, stated, isDenied } = subject;
  const converted =
    stated === null ? null : convert(stated.amount, stated.currency, subject.timestamp);
  const ownCurrency = stated !== null && converted === null && !isDenied ? stated.currency : null;
  const isOwn = ownCurrency !== null && ownCurrency !== currency;
  const realised = money === null ? 0 : Math.max(0, money.lost.toNumber());
  const facts: Facts = {
    actionType: subject.actionType,
    agentId: subject.agentId,
    variant: subject.variant,
    confidence: subject.confidence,
    oversight: subject.oversight,
    timestamp: subject.timestamp,
    stated: isOwn && stated !== null ? Number(stated.amount) : (converted?.toNumber() ?? null),
    provenance,
    inBase: !isOwn,
    isDenied,
    linked: money === null ? null : money.linked.toNumber(),
    realised: isOwn ? 0 : realised,
  };
  const model = estimator.modelOf(subject.actionType);
  return {
    estimate: estimator.estimate(facts, asOf, isOwn ? 0 : model.responseCost),
    ownCurrency: isOwn ? ownCurrency : null,
    realised,
    unconverted: (money?.unconverted ?? 0) + (isOwn ? 1 : 0),
  };
}
