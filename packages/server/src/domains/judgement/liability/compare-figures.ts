import type { Risk } from '@decision-ledger/liability/risk';
import { estimateDecision, type LinkedMoney, toFigures } from './describe.js';
import type { EstimateRow, Figures } from './store/estimate-columns.js';
import type { RecordedRow } from './store/subjects.js';
import type { EstimationModel } from './stored-snapshot.js';

export type Value = string | number | boolean | null;
export type Values = Readonly<Record<string, Value>>;

/** A column whose stored value is not the one that follows. */
export interface Difference {
  readonly column: string;
  readonly expected: string | null;
  readonly actual: string | null;
}

/** What an estimate is made of. */
export interface Estimation {
  /** The stored estimate: its revision and its time. */
  readonly row: Pick<EstimateRow, 'revision' | 'estimated_at'>;
  readonly decision: RecordedRow;
  readonly risk: Risk;
  readonly linked: LinkedMoney | null;
}

/** Makes an estimate again, as of its time. */
export function estimatedAgain(
  model: EstimationModel,
  { row, decision, risk, linked }: Estimation,
): Figures {
  const { agent_id, action_type, confidence, timestamp } = decision;
  const subject = { ...risk, agentId: agent_id, actionType: action_type, confidence, timestamp };
  const estimated = estimateDecision(model, subject, linked, row.estimated_at);
  return toFigures(model, estimated, row.revision, row.estimated_at);
}

/** The columns of the figures. */
export function comparedFigures({ stake, events, sizes, estimate }: Figures): Values {
  const { exposure, low, high, own_exposure, own_low, own_high, amount_at_risk } = estimate;
  const { loss_p50, loss_p95, realised } = estimate;
  const amounts = { exposure, low, high, own_exposure, own_low, own_high, amount_at_risk };
  const { own_currency, base_rate, agent_factor, version_factor, confidence_factor } = estimate;
  const { human_factor, loss_probability, uncertainty, is_prior, amount_basis, outlier } = estimate;
  const { severity, severity_spread, open_share, unconverted } = estimate;
  return {
    ...Object.fromEntries(
      Object.entries({ ...amounts, loss_p50, loss_p95, realised }).map(([name, amount]) => [
        name,
        amount === null ? null : Number(amount),
      ]),
    ),
    ...{ own_currency, base_rate, agent_factor, version_factor, confidence_factor, human_factor },
    ...{
      loss_probability,
      uncertainty,
      is_prior,
      amount_basis,
      outlier,
      severity,
      severity_spread,
    },
    ...{ open_share, unconverted, stake, events, sizes },
  };
}

export function figureDifferences(
  expected: Values,
  actual: Values,
  isSame: (expected: Value, actual: Value) => boolean,
): Difference[] {
  return Object.entries(expected).flatMap(([column, value]) => {
    const found = actual[column] ?? null;
    if (isSame(value, found)) return [];
    return [{ column, expected: textOf(value), actual: textOf(found) }];
  });
}

/** Stored amounts have six decimals, and another release of the engine may round otherwise. */
const TOLERANCE = 1e-9;
const LEAST = 1e-6;

/** Amounts and rates that are the same but for rounding. */
export function isNear(expected: Value, actual: Value): boolean {
  return isWithin(expected, actual, LEAST);
}

/** The same, where an amount that they were made of was rounded before. */
export function isAsNear(expected: Value, actual: Value): boolean {
  return isWithin(expected, actual, 100 * LEAST);
}

function isWithin(expected: Value, actual: Value, least: number): boolean {
  if (typeof expected !== 'number' || typeof actual !== 'number') return expected === actual;
  return Math.abs(expected - actual) <= Math.max(least, TOLERANCE * Math.abs(expected));
}

function textOf(value: Value): string | null {
  return value === null ? null : String(value);
}
