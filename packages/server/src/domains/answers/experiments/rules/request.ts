import { invalidField } from '@decision-ledger/contract/errors';
import {
  COVARIATES,
  type Covariate,
  EXPERIMENT_DEFAULTS,
  type ExperimentQuery,
  MONEY_LABELS,
  type MoneyLabel,
} from '@decision-ledger/contract/experiment';
import { parseTimestamp } from '@decision-ledger/contract/time';

/** What is asked of an experiment, with the defaults. */
export interface ExperimentRequest {
  readonly horizonDays: number;
  readonly historyDays: number;
  /** ms. */
  readonly asOf: number;
  /** Decisions up to this time (ms) have matured. */
  readonly maturedUntil: number;
  readonly comparison: string;
  readonly labels: readonly MoneyLabel[];
  readonly covariates: readonly Covariate[];
  readonly customerKey: string;
  readonly countsSavings: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * @param customerKey the member of metadata that names the customer, unless the query says otherwise
 * @param now ms
 * @throws LedgerError `validation_error` naming the parameter
 */
export function readExperimentRequest(
  query: ExperimentQuery,
  customerKey: string,
  now: number,
): ExperimentRequest {
  const { horizonDays, historyDays, comparison } = EXPERIMENT_DEFAULTS;
  const horizon = query.horizon_days ?? horizonDays;
  const asOf = readAsOf(query.as_of, now);
  const names = (query.labels ?? EXPERIMENT_DEFAULTS.labels).split(',');
  return {
    horizonDays: horizon,
    historyDays: query.history_days ?? historyDays,
    asOf,
    maturedUntil: asOf - horizon * DAY_MS,
    comparison: query.comparison ?? comparison,
    labels: MONEY_LABELS.filter((label) => names.includes(label)),
    covariates: readCovariates(query.covariates ?? EXPERIMENT_DEFAULTS.covariates),
    customerKey: query.customer_key ?? customerKey,
    countsSavings: query.savings !== 'exclude',
  };
}

/** A full hour by default, so that repeated requests get the same answer and need no new calculation. */
function readAsOf(text: string | undefined, now: number): number {
  if (text === undefined) return Math.floor(now / HOUR_MS) * HOUR_MS;
  const asOf = parseTimestamp(text);
  if (asOf === null) {
    throw invalidField('as_of', 'must be an RFC 3339 date-time such as 2026-04-16T09:30:00.000Z');
  }
  if (asOf > now) throw invalidField('as_of', 'must not be in the future');
  return asOf;
}

function readCovariates(text: string): readonly Covariate[] {
  const names = text.split(',');
  if (!names.includes('none')) return COVARIATES.filter((name) => names.includes(name));
  if (names.length > 1) throw invalidField('covariates', 'must be none alone, or name covariates');
  return [];
}
