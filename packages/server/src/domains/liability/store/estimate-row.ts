import { raw } from 'sql-template-tag';

/** An estimate, standing or former, as answers are made from it: amounts as decimal text. */
export interface EstimateRow {
  readonly revision: number;
  /** ms. */
  readonly estimated_at: number;
  readonly version: string;
  readonly currency: string;
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
  readonly base_rate: number;
  readonly confidence_factor: number;
  readonly human_factor: number;
  readonly loss_probability: number;
  readonly amount_at_risk: string;
  readonly amount_basis: 'stated' | 'linked' | 'median' | 'matrix';
  readonly severity: number;
  readonly response_cost: string;
  readonly open_share: number;
  readonly realised: string;
  readonly unconverted: number;
}

/** Of a row `e` of an estimate. */
export const STORED_COLUMNS = raw(`e.ledger_id, e.revision, e.snapshot_id, e.estimated_at,
  e.exposure, e.low, e.high, e.base_rate, e.confidence_factor, e.human_factor, e.loss_probability,
  e.amount_at_risk, e.amount_basis, e.severity, e.open_share, e.realised, e.unconverted`);

/** Of a row `e` of an estimate and its snapshot `s`. */
export const ESTIMATE_COLUMNS = raw(`e.revision,
  (extract(epoch from e.estimated_at) * 1000)::bigint as estimated_at, s.version, s.currency,
  e.exposure::text as exposure, e.low::text as low, e.high::text as high, e.base_rate,
  e.confidence_factor, e.human_factor, e.loss_probability, e.amount_at_risk::text as amount_at_risk,
  e.amount_basis, e.severity, s.settings::json ->> 'response_cost' as response_cost, e.open_share,
  e.realised::text as realised, e.unconverted`);
