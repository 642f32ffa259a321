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
/** A worker looks for what is due every half minute. */
const CONVERTING_SECONDS = 30;

/**
 * What decisions could still cost.
 * @throws LedgerError `validation_error` for a range that is none, `unavailable` while estimates are
 *   in several currencies
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
  const { currency, version } = model;
  if ((await readEstimateCurrency(db, scope, currency)) !== currency) throw converting();
  const threshold = settings.liability.exposure_alert_threshold;
  const [pools, top, trend, whole] = await Promise.all([
    sumPools(db, scope, filter),
    selectTopDecisions(db, scope, filter, query.top ?? TOP),
    readTrend(db, scope, filter, currency, now),
    threshold === null ? null : sumExposure(db, scope, EVERYTHING),
  ]);
  const { exposure, realised, decisions, unconverted, pending } = totalsOf(pools);
  const { p50, p95 } = await outlooks.get(scope, model, pools, now);
  const round = rounder(currency);
  return {
    ...{ currency, version },
    aggregate: {
      ...{ exposure: round(exposure), expected: round(exposure) },
      ...{ p50: round(p50), p95: round(p95), realised: round(realised) },
    },
    decisions,
    by_action_type: pools.slice(0, MAX_GROUPS).map((pool) => describePool(pool, round)),
    top_decisions: top.map((row) => describeTop(row, uuidToId('dec', row.decision_id), round)),
    trend,
    threshold: threshold === null ? null : round(threshold),
    is_threshold_crossed: threshold !== null && isAbove(whole?.exposure ?? '0', threshold),
    ...{ unconverted_count: unconverted, estimates_pending: pending },
  };
}

function converting(): Error {
  return unavailable(
    'the base currency was changed: the estimates are being made again in the new one',
    CONVERTING_SECONDS,
  );
}

const EVERYTHING: Filter = {
  ...{ start: undefined, end: undefined, agentId: undefined, actionType: undefined },
};

/** How the exposure of all decisions up to some days stood, and, where the range holds it, stands. */
async function readTrend(
  db: Queryable,
  scope: Scope,
  filter: Filter,
  currency: string,
  now: number,
): Promise<TrendPoint[]> {
  const { start = -Infinity, end = Infinity } = filter;
  const isOfNow = start <= now && now < end;
  const [days, sums] = await Promise.all([
    selectExposureDays(db, scope, filter),
    isOfNow ? sumExposure(db, scope, { ...filter, start: undefined, end: undefined }) : null,
  ]);
  const former = days.map((row) => describeDay(row, false));
  if (sums === null) return former;
  const day = formatTimestamp(now).slice(0, 10);
  return [...former, describeDay({ ...sums, day, currency }, true)];
}
