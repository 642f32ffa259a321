import {
  AgentPage,
  AgentQuery,
  ExposureAnalysis,
  ExposureQuery,
  Pnl,
  PnlQuery,
  Timeline,
  TimelineQuery,
} from '@decision-ledger/contract/analytics';
import { MonthPage, MonthQuery } from '@decision-ledger/contract/analytics-months';
import { AttributionQuality, QualityQuery } from '@decision-ledger/contract/analytics-quality';
import { PnlRows, RowsQuery } from '@decision-ledger/contract/analytics-rows';
import { success } from '@decision-ledger/contract/envelope';
import {
  BacktestQuery,
  LiabilityBacktest,
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '@decision-ledger/contract/liability';
import type { CursorCodec } from '../../../http/cursor.js';
import { principalOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import { tableAnswerer, withTable } from '../../../http/table.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { listAgents } from './agents.js';
import { readBacktest, readExposure, readLiabilityModel } from './exposure.js';
import { LIABILITY_TABLES } from './liability-tables.js';
import { listMonths } from './months.js';
import { MONTHS_TABLE } from './months-table.js';
import { outlooks } from './outlooks.js';
import { pnlReader } from './pnl.js';
import { readAttributionQuality } from './quality.js';
import { QUALITY_TABLE } from './quality-table.js';
import { listRows } from './rows.js';
import type { AgentPosition } from './store/link-allocations.js';
import type { RowPosition } from './store/select-rows.js';
import { TABLES } from './tables.js';
import { readTimeline } from './timeline.js';

export interface AnalyticsRouteTools {
  readonly db: Database;
  readonly clock: Clock;
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
  liabilityRoutes(app, tools);
  addAgents(app, tools);
  addQuality(app, tools);
}

function addPnl(app: Http, { db, clock, wrap }: AnalyticsRouteTools): void {
  const readPnl = pnlReader({ db, clock });
  const answer = tableAnswerer(wrap);
  app.get(
    '/analytics/ai-pnl',
    {
      config,
      schema: {
        tags,
        operationId: 'getPnl',
        summary: 'Profit and loss of the money that decisions moved',
        querystring: PnlQuery,
        response: { 200: withTable(Pnl) },
      },
    },
    async (request, reply) => {
      const pnl = await readPnl(principalOf(request).scope, request.query);
      return answer(request, reply, pnl, TABLES.pnl);
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
        summary: 'The parts of events that a figure of the profit and loss counts',
        querystring: RowsQuery,
        response: { 200: withTable(PnlRows) },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { query } = request;
      const { items, nextCursor, found } = await readPage(cursors, {
        list: 'analytics/ai-pnl/rows',
        scope,
        query,
        fetch: (after, limit) => listRows(tools, scope, query, readRowPosition(after), limit),
        position: ({ position: at }) => [String(at.timestamp), at.eventId, at.linkId],
      });
      const { figure, currency, sum } = found;
      const { as_of, activity_seq } = found.state;
      const rows = items.map(({ row }) => row);
      const state = { figure, currency, as_of, activity_seq, sum };
      const page = { ...state, rows, next_cursor: nextCursor };
      return answer(request, reply, page, TABLES.rows);
    },
  );
}

function readRowPosition(after: readonly string[] | null): RowPosition | null {
  const [timestamp, eventId, linkId] = after ?? [];
  if (timestamp === undefined || eventId === undefined || linkId === undefined) return null;
  return { timestamp: Number(timestamp), eventId, linkId };
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
        summary:
          'Closed months: their figures as closed, their restatements and their current figures',
        querystring: MonthQuery,
        response: { 200: withTable(MonthPage) },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { items, nextCursor, found } = await readPage(cursors, {
        list: 'analytics/months',
        scope,
        query: request.query,
        fetch: (after, limit) => listMonths(tools, scope, request.query, after?.[0] ?? null, limit),
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
        summary: 'Decisions, exposure and money by hour, day, week, month or quarter',
        querystring: TimelineQuery,
        response: { 200: withTable(Timeline) },
      },
    },
    async (request, reply) => {
      const timeline = await readTimeline(tools, principalOf(request).scope, request.query);
      return answer(request, reply, timeline, TABLES.timeline);
    },
  );
}

function liabilityRoutes(app: Http, { db, clock, wrap }: AnalyticsRouteTools): void {
  const tools = { db, clock, outlooks: outlooks(clock) };
  const answer = tableAnswerer(wrap);
  app.get(
    '/analytics/liability',
    {
      config,
      schema: {
        tags,
        operationId: 'getExposure',
        summary: 'What decisions could still cost: totals, action types and the largest exposures',
        querystring: ExposureQuery,
        response: { 200: withTable(ExposureAnalysis) },
      },
    },
    async (request, reply) => {
      const exposure = await readExposure(tools, principalOf(request).scope, request.query);
      return answer(request, reply, exposure, LIABILITY_TABLES.exposure);
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
          'Monthly forecasts against realised losses, and the reliability of stated confidence',
        querystring: BacktestQuery,
        response: { 200: withTable(LiabilityBacktest) },
      },
    },
    async (request, reply) => {
      const backtest = await readBacktest(db, principalOf(request).scope, clock.now());
      return answer(request, reply, backtest, LIABILITY_TABLES.backtest);
    },
  );
  app.get(
    '/analytics/liability/model',
    {
      config: { ...config, errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getLiabilityModel',
        summary:
          'The settings and learned figures that the estimates of an action type follow from',
        querystring: LiabilityModelQuery,
        response: { 200: success(LiabilityModelFigures) },
      },
    },
    async (request) =>
      wrap(request, await readLiabilityModel(db, principalOf(request).scope, request.query)),
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
        summary: 'How often suggested links are right, by audits: precision, recall, calibration',
        querystring: QualityQuery,
        response: { 200: withTable(AttributionQuality) },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const quality = await readAttributionQuality(tools, scope, request.query);
      return answer(request, reply, quality, QUALITY_TABLE);
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
        summary: 'Decisions, exposure and money of each agent, largest exposure first',
        querystring: AgentQuery,
        response: { 200: withTable(AgentPage) },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { query } = request;
      const { items, nextCursor, found } = await readPage(cursors, {
        list: 'analytics/agents',
        scope,
        query,
        fetch: (after, limit) => listAgents(tools, scope, query, readAgentPosition(after), limit),
        position: ({ position }) => [position.exposure, position.agentId],
      });
      const { as_of, activity_seq } = found.state;
      const agents = items.map(({ figures }) => figures);
      const state = { currency: found.currency, as_of, activity_seq };
      return answer(request, reply, { ...state, agents, next_cursor: nextCursor }, TABLES.agents);
    },
  );
}

function readAgentPosition(after: readonly string[] | null): AgentPosition | null {
  const [exposure, agentId] = after ?? [];
  return exposure === undefined || agentId === undefined ? null : { exposure, agentId };
}
