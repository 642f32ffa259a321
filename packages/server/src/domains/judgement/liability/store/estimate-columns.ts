import type { AmountBasis } from '@decision-ledger/liability/estimator';
import { raw, type Sql, default as sql } from 'sql-template-tag';
import { float8Array, textArray } from '../../../../platform/binary-array.js';
import { numericText } from '../rules/amounts.js';

/** Figures in the currency of an amount that no rate converts: decimal text. */
export interface OwnFigures {
  readonly currency: string;
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
}

/** A current or earlier estimate: amounts as decimal text. */
export interface EstimateRow {
  readonly snapshot_id: number;
  readonly revision: number;
  /** ms. */
  readonly estimated_at: number;
  readonly version: string;
  readonly currency: string;
  /** In the base currency: without an amount that no rate converts. */
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
  readonly own_currency: string | null;
  readonly own_exposure: string | null;
  readonly own_low: string | null;
  readonly own_high: string | null;
  readonly base_rate: number;
  readonly agent_factor: number;
  readonly version_factor: number;
  readonly confidence_factor: number;
  readonly human_factor: number;
  readonly loss_probability: number;
  readonly uncertainty: number;
  readonly is_prior: boolean;
  readonly amount_at_risk: string;
  readonly amount_basis: AmountBasis;
  readonly outlier: boolean;
  readonly severity: number;
  readonly severity_spread: number;
  readonly loss_p50: string;
  readonly loss_p95: string;
  readonly response_cost: string;
  readonly open_share: number;
  readonly realised: string;
  readonly unconverted: number;
}

/** Columns of an estimate that its history keeps, in the order of `figureArrays`. */
const KEPT = `exposure, low, high, own_currency, own_exposure, own_low, own_high, base_rate,
  agent_factor, version_factor, confidence_factor, human_factor, loss_probability, uncertainty,
  is_prior, amount_at_risk, amount_basis, outlier, severity, severity_spread, loss_p50, loss_p95, open_share,
  realised, unconverted`;

/** Columns that a history and a current estimate share. */
export const HISTORY_COLUMNS = raw(`revision, snapshot_id, estimated_at, ${KEPT}`);

/** Columns of an estimate `e` and its snapshot `s`. */
export const ESTIMATE_COLUMNS = raw(`e.snapshot_id, e.revision,
  (extract(epoch from e.estimated_at) * 1000)::bigint as estimated_at, s.version, s.currency,
  e.exposure::text as exposure, e.low::text as low, e.high::text as high, e.own_currency,
  e.own_exposure::text as own_exposure, e.own_low::text as own_low, e.own_high::text as own_high,
  e.base_rate, e.agent_factor, e.version_factor, e.confidence_factor, e.human_factor,
  e.loss_probability, e.uncertainty, e.is_prior, e.amount_at_risk::text as amount_at_risk,
  e.amount_basis, e.outlier, e.severity, e.severity_spread, e.loss_p50::text as loss_p50,
  e.loss_p95::text as loss_p95, s.settings::json ->> 'response_cost' as response_cost, e.open_share,
  e.realised::text as realised, e.unconverted`);

/** Figures of an estimate to store. */
export interface Figures {
  /** Cost of a loss × the share of the horizon that is left. */
  readonly stake: number;
  /** Probability of a further loss, and that × the square of its cost; 0 if it costs nothing. */
  readonly events: number;
  readonly sizes: number;
  readonly estimate: EstimateRow;
}

/** The columns of `figureArrays`, in the same order. */
export const FIGURES = raw(`${KEPT}, stake, events, sizes`);

/** Expressions that store the columns of `FIGURES`: amounts travel as text. */
export const STORED_FIGURES = raw(`exposure::numeric, low::numeric, high::numeric, own_currency,
  own_exposure::numeric, own_low::numeric, own_high::numeric, base_rate, agent_factor,
  version_factor, confidence_factor, human_factor, loss_probability, uncertainty,
  is_prior::integer::boolean, amount_at_risk::numeric, amount_basis, outlier::integer::boolean, severity, severity_spread,
  loss_p50::numeric, loss_p95::numeric, open_share, realised::numeric, unconverted::integer,
  stake::numeric, events, sizes::numeric`);

/** The same as assignments from a row `n`. */
export const ASSIGNED_FIGURES = raw(`exposure = n.exposure::numeric, low = n.low::numeric,
  high = n.high::numeric, own_currency = n.own_currency, own_exposure = n.own_exposure::numeric,
  own_low = n.own_low::numeric, own_high = n.own_high::numeric, base_rate = n.base_rate,
  agent_factor = n.agent_factor, version_factor = n.version_factor,
  confidence_factor = n.confidence_factor, human_factor = n.human_factor,
  loss_probability = n.loss_probability, uncertainty = n.uncertainty,
  is_prior = n.is_prior::integer::boolean, amount_at_risk = n.amount_at_risk::numeric,
  amount_basis = n.amount_basis, outlier = n.outlier::integer::boolean, severity = n.severity, severity_spread = n.severity_spread,
  loss_p50 = n.loss_p50::numeric, loss_p95 = n.loss_p95::numeric, open_share = n.open_share,
  realised = n.realised::numeric, unconverted = n.unconverted::integer, stake = n.stake::numeric,
  events = n.events, sizes = n.sizes::numeric`);

/** Arrays for unnest: amounts as text, because NUMERIC has no binary encoder here; counts as float8. */
export function figureArrays(rows: readonly Figures[]): Sql {
  const numbers = (value: (estimate: EstimateRow) => number) =>
    sql`${float8Array(rows, ({ estimate }) => value(estimate))}::float8[]`;
  const texts = (value: (estimate: EstimateRow) => string | null) =>
    sql`${textArray(rows, ({ estimate }) => value(estimate))}::text[]`;
  return sql`
    ${texts(({ exposure }) => exposure)},
    ${texts(({ low }) => low)},
    ${texts(({ high }) => high)},
    ${texts(({ own_currency }) => own_currency)},
    ${texts(({ own_exposure }) => own_exposure)},
    ${texts(({ own_low }) => own_low)},
    ${texts(({ own_high }) => own_high)},
    ${numbers(({ base_rate }) => base_rate)},
    ${numbers(({ agent_factor }) => agent_factor)},
    ${numbers(({ version_factor }) => version_factor)},
    ${numbers(({ confidence_factor }) => confidence_factor)},
    ${numbers(({ human_factor }) => human_factor)},
    ${numbers(({ loss_probability }) => loss_probability)},
    ${numbers(({ uncertainty }) => uncertainty)},
    ${numbers(({ is_prior }) => (is_prior ? 1 : 0))},
    ${texts(({ amount_at_risk }) => amount_at_risk)},
    ${texts(({ amount_basis }) => amount_basis)},
    ${numbers(({ outlier }) => (outlier ? 1 : 0))},
    ${numbers(({ severity }) => severity)},
    ${numbers(({ severity_spread }) => severity_spread)},
    ${texts(({ loss_p50 }) => loss_p50)},
    ${texts(({ loss_p95 }) => loss_p95)},
    ${numbers(({ open_share }) => open_share)},
    ${texts(({ realised }) => realised)},
    ${numbers(({ unconverted }) => unconverted)},
    ${textArray(rows, ({ stake }) => numericText(stake))}::text[],
    ${float8Array(rows, ({ events }) => events)}::float8[],
    ${textArray(rows, ({ sizes }) => numericText(sizes))}::text[]`;
}
