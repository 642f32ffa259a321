import { IssuedKey, Key, KeyBody, KeyPage, KeyQuery } from '@decision-ledger/contract/access';
import { IdParams, success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readIdempotencyMark } from '../../../http/idempotency-key.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import type { Authenticator } from './authenticate.js';
import { issueKeyOnce, listKeys, revokeKey } from './keys.js';

export interface KeyRouteTools {
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly idempotencyKey: Buffer;
  readonly authenticator: Authenticator;
  readonly wrap: Wrap;
}

const READ = { permission: 'admin', bucket: 'read' } as const;
const WRITE = { permission: 'admin', bucket: 'ingest' } as const;

export function keyRoutes(app: Http, tools: KeyRouteTools): void {
  const { db, cursors, wrap } = tools;
  app.get(
    '/keys',
    {
      config: READ,
      schema: {
        tags: ['keys'],
        operationId: 'listKeys',
        summary: 'List the keys of this mode, newest first',
        querystring: KeyQuery,
        response: { 200: success(KeyPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const page = await readPage(cursors, {
        list: 'keys',
        scope,
        query: request.query,
        fetch: (after, limit) => listKeys(ledger, after?.[0] ?? null, limit),
        position: ({ uuid }) => [uuid],
      });
      const keys = page.items.map(({ key }) => key);
      return wrap(request, { keys, next_cursor: page.nextCursor });
    },
  );
  app.post(
    '/keys',
    {
      config: WRITE,
      schema: {
        tags: ['keys'],
        operationId: 'issueKey',
        summary: 'Issue a key. The key is shown only once',
        body: KeyBody,
        response: { 201: success(IssuedKey) },
      },
    },
    async (request, reply) => {
      const mark = readIdempotencyMark(tools.idempotencyKey, request, request.body);
      const principal = callerOf(request);
      const issued = await db
        .ledger(principal.scope)
        .write((tx) => issueKeyOnce(tx, principal, request.body, mark));
      return reply.code(201).send(wrap(request, issued));
    },
  );
  app.delete(
    '/keys/:id',
    {
      config: WRITE,
      schema: {
        tags: ['keys'],
        operationId: 'revokeKey',
        summary: 'Revoke a key',
        params: IdParams,
        response: { 200: success(Key) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const revoked = await db
        .ledger(principal.scope)
        .write((tx) => revokeKey(tx, principal, request.params.id));
      tools.authenticator.forgetAll();
      return wrap(request, revoked);
    },
  );
}
