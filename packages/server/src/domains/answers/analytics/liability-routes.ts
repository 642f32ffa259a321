import { ExposureAnalysis, ExposureQuery } from '@decision-ledger/contract/analytics';
import { ExposureRows, ExposureRowsQuery } from '@decision-ledger/contract/analytics-rows';
import {
  BacktestQuery,
  LiabilityBacktest,
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '@decision-ledger/contract/liability';
import { type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byPlace } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import { describeKnown } from './consistent.js';
import { listExposureRows, readBacktest, readExposure, readLiabilityModel } from './exposure.js';
import { outlooks } from './outlooks.js';
import { EXPOSURE_TABLES } from './tables.js';

export interface LiabilityRouteTools extends EndpointTools {
  readonly clock: Clock;
}

const tag = 'analytics';

/** What decisions could still cost. */
export function liabilityRoutes(app: Http, tools: LiabilityRouteTools): void {
  const exposureTools = { outlooks: outlooks(tools.clock) };
  read(app, tools, {
    path: '/analytics/liability',
    tag,
    operationId: 'getExposure',
    summary: 'Get the total exposure, the exposure by action type and the largest decisions',
    query: ExposureQuery,
    data: ExposureAnalysis,
    table: EXPOSURE_TABLES.exposure,
    answer: ({ ledger, query }) => readExposure(ledger, exposureTools, query),
  });
  read(app, tools, {
    path: '/analytics/liability/backtest',
    tag,
    operationId: 'getLiabilityBacktest',
    summary: 'Compare monthly forecasts with realised losses, and stated confidence with outcomes',
    query: BacktestQuery,
    data: LiabilityBacktest,
    table: EXPOSURE_TABLES.backtest,
    answer: ({ ledger }) => readBacktest(ledger, tools.clock.now()),
  });
  read(app, tools, {
    path: '/analytics/liability/model',
    config: { errors: ['not_found'] },
    tag,
    operationId: 'getLiabilityModel',
    summary: 'Get the settings and learned figures behind the estimates of an action type',
    query: LiabilityModelQuery,
    data: LiabilityModelFigures,
    answer: ({ ledger, query }) => readLiabilityModel(ledger, query),
  });
  list(app, tools, {
    path: '/analytics/liability/rows',
    tag,
    operationId: 'listExposureRows',
    summary: 'List the decisions behind an exposure figure',
    query: ExposureRowsQuery,
    data: ExposureRows,
    table: EXPOSURE_TABLES.rows,
    key: byPlace,
    fetch: ({ ledger, query }, slice) => listExposureRows(ledger, query, slice),
    keyOf: ({ place }) => place,
    show: ({ items, next_cursor, found: { currency, state, known, sum } }) => ({
      currency,
      as_of: state.as_of,
      activity_seq: state.activity_seq,
      ...describeKnown(known),
      sum,
      rows: items.map(({ row }) => row),
      next_cursor,
    }),
  });
}
