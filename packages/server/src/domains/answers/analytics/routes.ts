import {
  AgentPage,
  AgentQuery,
  Pnl,
  PnlQuery,
  Timeline,
  TimelineQuery,
} from '@decision-ledger/contract/analytics';
import { MonthPage, MonthQuery } from '@decision-ledger/contract/analytics-months';
import {
  AttributionModel,
  AttributionModelQuery,
  AttributionQuality,
  QualityQuery,
} from '@decision-ledger/contract/analytics-quality';
import { PnlRows, RowsQuery } from '@decision-ledger/contract/analytics-rows';
import { success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import { tableAnswerer, withTable } from '../../../http/table.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { listAgents } from './agents.js';
import { describeKnown } from './consistent.js';
import { listMonths } from './months.js';
import { MONTHS_TABLE } from './months-table.js';
import { pnlReader } from './pnl.js';
import { readAttributionModel, readAttributionQuality } from './quality.js';
import { QUALITY_TABLE } from './quality-table.js';
import { listRows } from './rows.js';
import { PNL_TABLES } from './tables.js';
import { readTimeline } from './timeline.js';

export interface AnalyticsRouteTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

const config = { permission: 'read', bucket: 'read' } as const;
const tags = ['analytics'];

export function analyticsRoutes(app: Http, tools: AnalyticsRouteTools): void {
  addPnl(app, tools);
  addRows(app, tools);
  addMonths(app, tools);
  addTimeline(app, tools);
  addAgents(app, tools);
  addQuality(app, tools);
  addModel(app, tools);
}

function addPnl(app: Http, { db, clock, wrap }: AnalyticsRouteTools): void {
  const readPnl = pnlReader(clock);
  const answer = tableAnswerer(wrap);
  app.get(
    '/analytics/ai-pnl',
    {
      config,
      schema: {
        tags,
        operationId: 'getPnl',
        summary: 'Get the profit and loss of decisions',
        querystring: PnlQuery,
        response: { 200: withTable(Pnl) },
      },
    },
    async (request, reply) => {
      const pnl = await readPnl(db.ledger(callerOf(request).scope), request.query);
      return answer(request, reply, pnl, PNL_TABLES.pnl);
    },
  );
}

function addRows(app: Http, tools: AnalyticsRouteTools): void {
  const { cursors } = tools;
  const answer = tableAnswerer(tools.wrap);
  app.get(
    '/analytics/ai-pnl/rows',
    {
      config,
      schema: {
        tags,
        operationId: 'listPnlRows',
        summary: 'List the rows behind a figure of the profit and loss',
        querystring: RowsQuery,
        response: { 200: withTable(PnlRows) },
      },
    },
    async (request, reply) => {
      const { scope } = callerOf(request);
      const ledger = tools.db.ledger(scope);
      const { query } = request;
      const { items, nextCursor, found } = await readPage(cursors, {
        list: 'analytics/ai-pnl/rows',
        scope,
        query,
        fetch: (after, limit) => listRows(ledger, query, after, limit),
        position: ({ position }) => position,
      });
      const { figure, currency, sum } = found;
      const { as_of, activity_seq } = found.state;
      const rows = items.map(({ row }) => row);
      const state = { figure, currency, as_of, activity_seq, sum };
      const page = { ...state, rows, next_cursor: nextCursor };
      return answer(request, reply, page, PNL_TABLES.rows);
    },
  );
}

function addMonths(app: Http, tools: AnalyticsRouteTools): void {
  const { cursors } = tools;
  const answer = tableAnswerer(tools.wrap);
  app.get(
    '/analytics/months',
    {
      config,
      schema: {
        tags,
        operationId: 'listClosedMonths',
        summary: 'List closed months with their original, restated and current figures',
        querystring: MonthQuery,
        response: { 200: withTable(MonthPage) },
      },
    },
    async (request, reply) => {
      const { scope } = callerOf(request);
      const ledger = tools.db.ledger(scope);
      const { items, nextCursor, found } = await readPage(cursors, {
        list: 'analytics/months',
        scope,
        query: request.query,
        fetch: (after, limit) => listMonths(ledger, request.query, after?.[0] ?? null, limit),
        position: ({ month }) => [month],
      });
      const { as_of, activity_seq } = found.state;
      const page = { as_of, activity_seq, months: [...items], next_cursor: nextCursor };
      return answer(request, reply, page, MONTHS_TABLE);
    },
  );
}

function addTimeline(app: Http, tools: AnalyticsRouteTools): void {
  const answer = tableAnswerer(tools.wrap);
  app.get(
    '/analytics/timeline',
    {
      config,
      schema: {
        tags,
        operationId: 'getTimeline',
        summary: 'Get decisions, exposure and money by hour, day, week, month or quarter',
        querystring: TimelineQuery,
        response: { 200: withTable(Timeline) },
      },
    },
    async (request, reply) => {
      const timeline = await readTimeline(tools.db.ledger(callerOf(request).scope), request.query);
      return answer(request, reply, timeline, PNL_TABLES.timeline);
    },
  );
}

function addQuality(app: Http, tools: AnalyticsRouteTools): void {
  const answer = tableAnswerer(tools.wrap);
  app.get(
    '/analytics/attribution-quality',
    {
      config,
      schema: {
        tags,
        operationId: 'getAttributionQuality',
        summary: 'Get the precision, recall and calibration of suggested links, measured by audits',
        querystring: QualityQuery,
        response: { 200: withTable(AttributionQuality) },
      },
    },
    async (request, reply) => {
      const ledger = tools.db.ledger(callerOf(request).scope);
      const quality = await readAttributionQuality(ledger, request.query);
      return answer(request, reply, quality, QUALITY_TABLE);
    },
  );
}

function addModel(app: Http, { db, wrap }: AnalyticsRouteTools): void {
  app.get(
    '/analytics/attribution-model',
    {
      config: { ...config, errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getAttributionModel',
        summary: 'Get the model version behind a score',
        querystring: AttributionModelQuery,
        response: { 200: success(AttributionModel) },
      },
    },
    async (request) => {
      const ledger = db.ledger(callerOf(request).scope);
      return wrap(request, await readAttributionModel(ledger, request.query.model));
    },
  );
}

function addAgents(app: Http, tools: AnalyticsRouteTools): void {
  const { cursors } = tools;
  const answer = tableAnswerer(tools.wrap);
  app.get(
    '/analytics/agents',
    {
      config,
      schema: {
        tags,
        operationId: 'listAgents',
        summary: 'List agents with their decisions, exposure and money, largest exposure first',
        querystring: AgentQuery,
        response: { 200: withTable(AgentPage) },
      },
    },
    async (request, reply) => {
      const { scope } = callerOf(request);
      const ledger = tools.db.ledger(scope);
      const { query } = request;
      const { items, nextCursor, found } = await readPage(cursors, {
        list: 'analytics/agents',
        scope,
        query,
        fetch: (after, limit) => listAgents(ledger, query, after, limit),
        position: ({ position }) => position,
      });
      const { as_of, activity_seq } = found.state;
      const agents = items.map(({ figures }) => figures);
      const shown = { as_of, activity_seq, ...describeKnown(found.known) };
      const state = { currency: found.currency, ...shown };
      return answer(
        request,
        reply,
        { ...state, agents, next_cursor: nextCursor },
        PNL_TABLES.agents,
      );
    },
  );
}
