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
import { success } from '@decision-ledger/contract/envelope';
import {
  LiabilityBacktest,
  LiabilityModelFigures,
  LiabilityModelQuery,
} from '@decision-ledger/contract/liability';
import type { CursorCodec } from '../../../http/cursor.js';
import { principalOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import { listAgents } from './agents.js';
import { readBacktest, readLiabilityModel } from './backtest.js';
import { readConversion } from './conversion.js';
import { readExposure } from './exposure.js';
import { outlooks } from './outlooks.js';
import { pnlReader } from './pnl.js';
import type { AgentPosition } from './store/link-allocations.js';
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
  addMoney(app, tools);
  liabilityRoutes(app, tools);
  addAgents(app, tools);
}

function addMoney(app: Http, { db, clock, wrap }: AnalyticsRouteTools): void {
  const readPnl = pnlReader(db, clock);
  app.get(
    '/analytics/ai-pnl',
    {
      config,
      schema: {
        tags,
        summary: 'Profit and loss of the money that decisions moved',
        querystring: PnlQuery,
        response: { 200: success(Pnl) },
      },
    },
    async (request) => wrap(request, await readPnl(principalOf(request).scope, request.query)),
  );
  app.get(
    '/analytics/timeline',
    {
      config,
      schema: {
        tags,
        summary: 'Decisions, exposure and money by hour, day, week or month',
        querystring: TimelineQuery,
        response: { 200: success(Timeline) },
      },
    },
    async (request) =>
      wrap(request, await readTimeline(db, principalOf(request).scope, request.query)),
  );
}

function liabilityRoutes(app: Http, { db, clock, wrap }: AnalyticsRouteTools): void {
  const tools = { db, clock, outlooks: outlooks(clock) };
  app.get(
    '/analytics/liability',
    {
      config,
      schema: {
        tags,
        summary: 'What decisions could still cost: totals, action types and the largest exposures',
        querystring: ExposureQuery,
        response: { 200: success(ExposureAnalysis) },
      },
    },
    async (request) =>
      wrap(request, await readExposure(tools, principalOf(request).scope, request.query)),
  );
  app.get(
    '/analytics/liability/backtest',
    {
      config,
      schema: {
        tags,
        summary:
          'Monthly forecasts against realised losses, and the reliability of stated confidence',
        response: { 200: success(LiabilityBacktest) },
      },
    },
    async (request) =>
      wrap(request, await readBacktest(db, principalOf(request).scope, clock.now())),
  );
  app.get(
    '/analytics/liability/model',
    {
      config,
      schema: {
        tags,
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

function addAgents(app: Http, { db, cursors, wrap }: AnalyticsRouteTools): void {
  app.get(
    '/analytics/agents',
    {
      config,
      schema: {
        tags,
        summary: 'Decisions, exposure and money of each agent, largest exposure first',
        querystring: AgentQuery,
        response: { 200: success(AgentPage) },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const conversion = await readConversion(db, scope);
      const page = await readPage(cursors, {
        list: 'analytics/agents',
        scope,
        query: request.query,
        fetch: (after, limit) =>
          listAgents(db, scope, conversion, request.query, readPosition(after), limit),
        position: ({ position }) => [position.exposure, position.agentId],
      });
      const agents = page.items.map(({ figures }) => figures);
      return wrap(request, { currency: conversion.base, agents, next_cursor: page.nextCursor });
    },
  );
}

function readPosition(after: readonly string[] | null): AgentPosition | null {
  const [exposure, agentId] = after ?? [];
  return exposure === undefined || agentId === undefined ? null : { exposure, agentId };
}
