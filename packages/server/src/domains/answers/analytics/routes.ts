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
import { RunningCostQuery, RunningCosts } from '@decision-ledger/contract/running-cost';
import { type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byText } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Clock } from '../../../platform/clock.js';
import { byExposure, listAgents } from './agents.js';
import { describeKnown } from './consistent.js';
import { listMonths, MONTHS_TABLE } from './months.js';
import { byPart, listRows, pnlReader } from './pnl.js';
import { QUALITY_TABLE, readAttributionModel, readAttributionQuality } from './quality.js';
import { readRunningCost } from './running-cost.js';
import { PNL_TABLES } from './tables.js';
import { readTimeline } from './timeline.js';

export interface AnalyticsRouteTools extends EndpointTools {
  readonly clock: Clock;
}

const tag = 'analytics';

export function analyticsRoutes(app: Http, tools: AnalyticsRouteTools): void {
  addPnl(app, tools);
  addRunningCost(app, tools);
  addMonths(app, tools);
  addTimeline(app, tools);
  addAgents(app, tools);
  addAttribution(app, tools);
}

function addPnl(app: Http, tools: AnalyticsRouteTools): void {
  const readPnl = pnlReader(tools.clock);
  read(app, tools, {
    path: '/analytics/ai-pnl',
    tag,
    operationId: 'getPnl',
    summary: 'Get the profit and loss of decisions',
    query: PnlQuery,
    data: Pnl,
    table: PNL_TABLES.pnl,
    answer: ({ ledger, query }) => readPnl(ledger, query),
  });
  list(app, tools, {
    path: '/analytics/ai-pnl/rows',
    tag,
    operationId: 'listPnlRows',
    summary: 'List the rows behind a profit-and-loss figure',
    query: RowsQuery,
    data: PnlRows,
    table: PNL_TABLES.rows,
    key: byPart,
    fetch: ({ ledger, query }, slice) => listRows(ledger, query, slice),
    keyOf: ({ position }) => position,
    show: ({ items, next_cursor, found: { figure, currency, state, sum } }) => ({
      figure,
      currency,
      as_of: state.as_of,
      activity_seq: state.activity_seq,
      sum,
      rows: items.map(({ row }) => row),
      next_cursor,
    }),
  });
}

function addRunningCost(app: Http, tools: AnalyticsRouteTools): void {
  read(app, tools, {
    path: '/analytics/running-cost',
    tag,
    operationId: 'getRunningCost',
    summary: 'Get what decisions cost to make, beside their net money, by month',
    query: RunningCostQuery,
    data: RunningCosts,
    answer: ({ ledger, query }) => readRunningCost(ledger, query),
  });
}

function addMonths(app: Http, tools: AnalyticsRouteTools): void {
  list(app, tools, {
    path: '/analytics/months',
    tag,
    operationId: 'listClosedMonths',
    summary: 'List closed months with their original, restated and current figures',
    query: MonthQuery,
    data: MonthPage,
    table: MONTHS_TABLE,
    key: byText,
    fetch: ({ ledger, query }, slice) => listMonths(ledger, query, slice),
    keyOf: ({ month }) => month,
    show: ({ items, next_cursor, found: { state } }) => ({
      as_of: state.as_of,
      activity_seq: state.activity_seq,
      months: items,
      next_cursor,
    }),
  });
}

function addTimeline(app: Http, tools: AnalyticsRouteTools): void {
  read(app, tools, {
    path: '/analytics/timeline',
    tag,
    operationId: 'getTimeline',
    summary: 'Get decisions, exposure and money by hour, day, week, month or quarter',
    query: TimelineQuery,
    data: Timeline,
    table: PNL_TABLES.timeline,
    answer: ({ ledger, query }) => readTimeline(ledger, query),
  });
}

function addAgents(app: Http, tools: AnalyticsRouteTools): void {
  list(app, tools, {
    path: '/analytics/agents',
    tag,
    operationId: 'listAgents',
    summary: 'List agents with their decisions, exposure and money, largest exposure first',
    query: AgentQuery,
    data: AgentPage,
    table: PNL_TABLES.agents,
    key: byExposure,
    fetch: ({ ledger, query }, slice) => listAgents(ledger, query, slice),
    keyOf: ({ position }) => position,
    show: ({ items, next_cursor, found: { currency, state, known } }) => ({
      currency,
      as_of: state.as_of,
      activity_seq: state.activity_seq,
      ...describeKnown(known),
      agents: items.map(({ figures }) => figures),
      next_cursor,
    }),
  });
}

function addAttribution(app: Http, tools: AnalyticsRouteTools): void {
  read(app, tools, {
    path: '/analytics/attribution-quality',
    tag,
    operationId: 'getAttributionQuality',
    summary: 'Get the precision, recall and calibration of suggested links, measured by audits',
    query: QualityQuery,
    data: AttributionQuality,
    table: QUALITY_TABLE,
    answer: ({ ledger, query }) => readAttributionQuality(ledger, query),
  });
  read(app, tools, {
    path: '/analytics/attribution-model',
    config: { errors: ['not_found'] },
    tag,
    operationId: 'getAttributionModel',
    summary: 'Get the model version behind a score',
    query: AttributionModelQuery,
    data: AttributionModel,
    answer: ({ ledger, query }) => readAttributionModel(ledger, query.model),
  });
}
