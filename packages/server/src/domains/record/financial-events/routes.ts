import {
  FinancialEvent,
  FinancialEventBody,
  FinancialEventPage,
  FinancialEventQuery,
  RelatedEvent,
} from '@decision-ledger/contract/financial-event';
import { IdParams } from '@decision-ledger/contract/shared';
import { MAX_DEPTH } from '@decision-ledger/proof/gate';
import { change, create, type EndpointTools, list, read } from '../../../http/endpoints.js';
import { byPlace } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { RecordHooks } from '../hooks/index.js';
import { describeEvent, describeReports, listEvents, readEvent } from './read.js';
import { recordEvent, removeEvent } from './record.js';
import { describeRelated } from './relations.js';

export interface EventRouteTools extends EndpointTools {
  readonly hooks: RecordHooks;
}

const tag = 'financial events';

export function financialEventRoutes(app: Http, tools: EventRouteTools): void {
  addWrites(app, tools);
  addReads(app, tools);
}

function addWrites(app: Http, tools: EventRouteTools): void {
  create(app, tools, {
    path: '/financial-events',
    config: { permission: 'ingest', bucket: 'ingest', bodyDepth: MAX_DEPTH + 1 },
    tag,
    operationId: 'recordFinancialEvent',
    summary: 'Record a financial event',
    body: FinancialEventBody,
    data: FinancialEvent,
    make: async (tx, { principal, body }) =>
      describeEvent(await recordEvent(tx, tools.hooks, principal, body)),
  });
  change(app, tools, {
    method: 'DELETE',
    path: '/financial-events/:id',
    config: { permission: 'manage', bucket: 'ingest' },
    tag,
    operationId: 'deleteFinancialEvent',
    summary: 'Soft-delete a financial event. It no longer counts but is kept',
    params: IdParams,
    data: FinancialEvent,
    answer: async ({ ledger, principal, params }) => {
      const { event_id } = await readEvent(ledger, params.id);
      const removed = await ledger.write((tx) => removeEvent(tx, tools.hooks, principal, event_id));
      return describeEvent(removed);
    },
  });
}

function addReads(app: Http, tools: EventRouteTools): void {
  list(app, tools, {
    path: '/financial-events',
    tag,
    operationId: 'listFinancialEvents',
    summary: 'List financial events, newest first',
    query: FinancialEventQuery,
    data: FinancialEventPage,
    key: byPlace,
    fetch: ({ ledger, query }, slice) => listEvents(ledger, query, slice),
    keyOf: ({ timestamp, event_id }) => ({ at: timestamp, id: event_id }),
    show: async ({ items, next_cursor }, { ledger }) => ({
      financial_events: await describeReports(ledger, items),
      next_cursor,
    }),
  });
  read(app, tools, {
    path: '/financial-events/:id',
    tag,
    operationId: 'getFinancialEvent',
    summary: 'Get a financial event, even if deleted, with its movement and its relations',
    params: IdParams,
    data: RelatedEvent,
    answer: async ({ ledger, params }) =>
      describeRelated(ledger, await readEvent(ledger, params.id)),
  });
}
