import {
  type ExposureAnalysis,
  type ExposureQuery,
  MAX_GROUPS,
  type TrendPoint,
} from '@decision-ledger/contract/analytics';
import { unavailable } from '@decision-ledger/contract/errors';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { Clock } from '../../../platform/clock.js';
import type { Database, Queryable } from '../../../platform/database.js';
import { uuidToId } from '../../../platform/ids.js';
import type { Scope } from '../../../platform/scope.js';
import { readSettings } from '../../access/settings/index.js';
import { readEstimateCurrency, readModel } from '../../judgement/liability/index.js';
import type { Outlooks } from './outlooks.js';
import { describeDay, describePool, describeTop, totalsOf } from './rules/exposure.js';
import { type Filter, readFilter } from './rules/filter.js';
import { isAbove, rounder } from './rules/money.js';
import { selectExposureDays, selectTopDecisions, sumExposure, sumPools } from './store/exposure.js';

export interface ExposureTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly outlooks: Outlooks;
}

const TOP = 10;
/** A worker looks for due work every half minute. */
const CONVERTING_SECONDS = 30;

/**
 * What decisions could still cost.
 * @throws LedgerError `validation_error` for an invalid range, `unavailable` while estimates are in
 *   several currencies
 */
export async function readExposure(
  { db, clock, outlooks }: ExposureTools,
  scope: Scope,
  query: ExposureQuery,
): Promise<ExposureAnalysis> {
  const filter = readFilter(query);
  const now = clock.now();
  const settings = await readSettings(db, scope);
  const model = await readModel(db, scope, settings);
  const { currency } = model;
  if ((await readEstimateCurrency(db, scope, currency)) !== currency) throw converting();
  const threshold = settings.liability.exposure_alert_threshold;
  const [pools, top, trend, whole] = await Promise.all([
    sumPools(db, scope, filter),
    selectTopDecisions(db, scope, filter, query.top ?? TOP),
    readTrend(db, scope, filter, currency, now),
    threshold === null ? null : sumExposure(db, scope, EVERYTHING),
  ]);
  const totals = totalsOf(pools);
  const { p50, p95 } = await outlooks.get(scope, model, pools, now);
  const round = rounder(currency);
  return {
    currency,
    as_of: formatTimestamp(now),
    version: model.version,
    aggregate: {
      exposure: round(totals.exposure),
      expected: round(totals.exposure),
      p50: round(p50),
      p95: round(p95),
      realised: round(totals.realised),
    },
    decisions: totals.decisions,
    by_action_type: pools.slice(0, MAX_GROUPS).map((pool) => describePool(pool, round)),
    top_decisions: top.map((row) => describeTop(row, uuidToId('dec', row.decision_id), round)),
    trend,
    threshold: threshold === null ? null : round(threshold),
    is_threshold_crossed: threshold !== null && isAbove(whole?.exposure ?? '0', threshold),
    unconverted_count: totals.unconverted,
    estimates_pending: totals.pending,
  };
}

function converting(): Error {
  return unavailable(
    'the base currency was changed: the estimates are being recalculated in the new one',
    CONVERTING_SECONDS,
  );
}

const EVERYTHING: Filter = {
  start: undefined,
  end: undefined,
  agentId: undefined,
  actionType: undefined,
};

/** The exposure of all decisions after each nightly run, and now if the range includes it. */
async function readTrend(
  db: Queryable,
  scope: Scope,
  filter: Filter,
  currency: string,
  now: number,
): Promise<TrendPoint[]> {
  const { start = -Infinity, end = Infinity } = filter;
  const includesNow = start <= now && now < end;
  const [days, sums] = await Promise.all([
    selectExposureDays(db, scope, filter),
    includesNow ? sumExposure(db, scope, { ...filter, start: undefined, end: undefined }) : null,
  ]);
  const past = days.map((row) => describeDay(row, false));
  if (sums === null) return past;
  const day = formatTimestamp(now).slice(0, 10);
  return [...past, describeDay({ ...sums, day, currency }, true)];
}
