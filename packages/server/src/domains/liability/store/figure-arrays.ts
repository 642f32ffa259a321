import sql, { raw, type Sql } from 'sql-template-tag';
import { float8Array, textArray } from '../../../platform/binary-array.js';
import { decimal } from '../rules/decimal.js';
import type { EstimateRow } from './estimate-row.js';

/** What an estimate comes to, on its way into a table. */
export interface Figures {
  /** What a loss would cost, times the share of the horizon that is still to come. */
  readonly stake: number;
  readonly estimate: EstimateRow;
}

/** The columns of `figureArrays`, in its order. */
export const FIGURES = raw(`exposure, low, high, base_rate, confidence_factor, human_factor,
  loss_probability, amount_at_risk, amount_basis, severity, stake, open_share, realised,
  unconverted`);

/** Arrays for unnest: amounts as text, since NUMERIC has no binary form here; counts as float8. */
export function figureArrays(rows: readonly Figures[]): Sql {
  const numbers = (value: (estimate: EstimateRow) => number) =>
    float8Array(rows, ({ estimate }) => value(estimate));
  const texts = (value: (estimate: EstimateRow) => string) =>
    textArray(rows, ({ estimate }) => value(estimate));
  return sql`
    ${texts(({ exposure }) => exposure)}::text[],
    ${texts(({ low }) => low)}::text[],
    ${texts(({ high }) => high)}::text[],
    ${numbers(({ base_rate }) => base_rate)}::float8[],
    ${numbers(({ confidence_factor }) => confidence_factor)}::float8[],
    ${numbers(({ human_factor }) => human_factor)}::float8[],
    ${numbers(({ loss_probability }) => loss_probability)}::float8[],
    ${texts(({ amount_at_risk }) => amount_at_risk)}::text[],
    ${texts(({ amount_basis }) => amount_basis)}::text[],
    ${numbers(({ severity }) => severity)}::float8[],
    ${textArray(rows, ({ stake }) => decimal(stake))}::text[],
    ${numbers(({ open_share }) => open_share)}::float8[],
    ${texts(({ realised }) => realised)}::text[],
    ${numbers(({ unconverted }) => unconverted)}::float8[]`;
}
