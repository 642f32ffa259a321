import { ExposureAnalysis, ExposureQuery } from '@decision-ledger/contract/analytics';
import { ExposureRows, ExposureRowsQuery } from '@decision-ledger/contract/analytics-rows';
import {
  BacktestQuery,
  LiabilityBacktest,
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '@decision-ledger/contract/liability';
import { success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import { tableAnswerer, withTable } from '../../../http/table.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { describeKnown } from './consistent.js';
import { readBacktest, readExposure, readLiabilityModel } from './exposure.js';
import { listExposureRows } from './exposure-rows.js';
import { EXPOSURE_TABLES } from './liability-tables.js';
import { outlooks } from './outlooks.js';

export interface LiabilityRouteTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

const config = { permission: 'read', bucket: 'read' } as const;
const tags = ['analytics'];

/** What decisions could still cost. */
export function liabilityRoutes(app: Http, tools: LiabilityRouteTools): void {
  addExposure(app, tools);
  addExposureRows(app, tools);
}

function addExposure(app: Http, { db, clock, wrap }: LiabilityRouteTools): void {
  const tools = { db, clock, outlooks: outlooks(clock) };
  const answer = tableAnswerer(wrap);
  app.get(
    '/analytics/liability',
    {
      config,
      schema: {
        tags,
        operationId: 'getExposure',
        summary: 'Get the exposure: totals, action types and the largest decisions',
        querystring: ExposureQuery,
        response: { 200: withTable(ExposureAnalysis) },
      },
    },
    async (request, reply) => {
      const exposure = await readExposure(
        tools.db.ledger(callerOf(request).scope),
        tools,
        request.query,
      );
      return answer(request, reply, exposure, EXPOSURE_TABLES.exposure);
    },
  );
  app.get(
    '/analytics/liability/backtest',
    {
      config,
      schema: {
        tags,
        operationId: 'getLiabilityBacktest',
        summary:
          'Compare monthly forecasts with realised losses, and stated confidence with outcomes',
        querystring: BacktestQuery,
        response: { 200: withTable(LiabilityBacktest) },
      },
    },
    async (request, reply) => {
      const backtest = await readBacktest(db.ledger(callerOf(request).scope), clock.now());
      return answer(request, reply, backtest, EXPOSURE_TABLES.backtest);
    },
  );
  app.get(
    '/analytics/liability/model',
    {
      config: { ...config, errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getLiabilityModel',
        summary: 'Get the settings and learned figures behind the estimates of an action type',
        querystring: LiabilityModelQuery,
        response: { 200: success(LiabilityModelFigures) },
      },
    },
    async (request) =>
      wrap(request, await readLiabilityModel(db.ledger(callerOf(request).scope), request.query)),
  );
}

function addExposureRows(app: Http, tools: LiabilityRouteTools): void {
  const answer = tableAnswerer(tools.wrap);
  app.get(
    '/analytics/liability/rows',
    {
      config,
      schema: {
        tags,
        operationId: 'listExposureRows',
        summary: 'List the decisions behind a figure of the exposure',
        querystring: ExposureRowsQuery,
        response: { 200: withTable(ExposureRows) },
      },
    },
    async (request, reply) => {
      const { scope } = callerOf(request);
      const ledger = tools.db.ledger(scope);
      const { query } = request;
      const { items, nextCursor, found } = await readPage(tools.cursors, {
        list: 'analytics/liability/rows',
        scope,
        query,
        fetch: (after, limit) => listExposureRows(ledger, query, after, limit),
        position: ({ position }) => position,
      });
      const { as_of, activity_seq } = found.state;
      const shown = { as_of, activity_seq, ...describeKnown(found.known) };
      const state = { currency: found.currency, ...shown, sum: found.sum };
      const page = { ...state, rows: items.map(({ row }) => row), next_cursor: nextCursor };
      return answer(request, reply, page, EXPOSURE_TABLES.rows);
    },
  );
}
