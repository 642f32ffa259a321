import {
  FinancialEvent,
  FinancialEventBody,
  FinancialEventPage,
  FinancialEventQuery,
} from '@decision-ledger/contract/financial-event';
import { IdParams, success } from '@decision-ledger/contract/shared';
import { checker } from '@decision-ledger/contract/validation';
import { MAX_DEPTH } from '@decision-ledger/proof/gate';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { createOnce } from '../../../http/once.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import type { RecordHooks } from '../hooks/index.js';
import { describeEvent, describeEvents, listEvents, readEvent } from './read.js';
import { recordEvent } from './record.js';
import { removeEvent } from './remove.js';
import type { EventPagePosition } from './store/financial-events.js';

export interface EventRouteTools {
  readonly hooks: RecordHooks;
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly idempotencyKey: Buffer;
  readonly wrap: Wrap;
}

const WRITE = { permission: 'ingest', bucket: 'ingest' } as const;
const MANAGE = { permission: 'manage', bucket: 'ingest' } as const;
const READ = { permission: 'read', bucket: 'read' } as const;
const tags = ['financial events'];

const checkAnswer = checker(FinancialEvent, 'answer');

export function financialEventRoutes(app: Http, tools: EventRouteTools): void {
  addWrites(app, tools);
  addReads(app, tools);
}

function addWrites(app: Http, tools: EventRouteTools): void {
  const { db, wrap } = tools;
  app.post(
    '/financial-events',
    {
      config: { ...WRITE, bodyDepth: MAX_DEPTH + 1 },
      schema: {
        tags,
        operationId: 'recordFinancialEvent',
        summary: 'Record a financial event',
        body: FinancialEventBody,
        response: { 201: success(FinancialEvent) },
      },
    },
    (request, reply) =>
      createOnce(tools, request, reply, {
        read: checkAnswer,
        make: async (tx, principal) =>
          describeEvent(await recordEvent(tx, tools.hooks, principal, request.body)),
      }),
  );
  app.delete(
    '/financial-events/:id',
    {
      config: MANAGE,
      schema: {
        tags,
        operationId: 'deleteFinancialEvent',
        summary: 'Soft-delete a financial event. It stops counting and stays stored',
        params: IdParams,
        response: { 200: success(FinancialEvent) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const ledger = db.ledger(principal.scope);
      const { event_id } = await readEvent(ledger, request.params.id);
      const removed = await ledger.write((tx) => removeEvent(tx, tools.hooks, principal, event_id));
      return wrap(request, describeEvent(removed));
    },
  );
}

function addReads(app: Http, { db, cursors, wrap }: EventRouteTools): void {
  app.get(
    '/financial-events',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'listFinancialEvents',
        summary: 'List financial events, newest first',
        querystring: FinancialEventQuery,
        response: { 200: success(FinancialEventPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const page = await readPage(cursors, {
        list: 'financial-events',
        scope,
        query: request.query,
        fetch: (after, limit) => listEvents(ledger, request.query, readPosition(after), limit),
        position: (row) => [String(row.timestamp), row.event_id],
      });
      const financial_events = await describeEvents(page.items);
      return wrap(request, { financial_events, next_cursor: page.nextCursor });
    },
  );
  app.get(
    '/financial-events/:id',
    {
      config: READ,
      schema: {
        tags,
        operationId: 'getFinancialEvent',
        summary: 'Get a financial event, even if deleted',
        params: IdParams,
        response: { 200: success(FinancialEvent) },
      },
    },
    async (request) => {
      const ledger = db.ledger(callerOf(request).scope);
      return wrap(request, describeEvent(await readEvent(ledger, request.params.id)));
    },
  );
}

function readPosition(after: readonly string[] | null): EventPagePosition | null {
  const [timestamp, eventId] = after ?? [];
  if (timestamp === undefined || eventId === undefined) return null;
  return { timestamp: Number(timestamp), eventId };
}
