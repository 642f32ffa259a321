import {
  OpenedSession,
  Session,
  SessionBody,
  SessionPage,
  SessionQuery,
} from '@decision-ledger/contract/access';
import { IdParams, success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import type { Authenticator } from '../keys/index.js';
import { listSessions, openSession, revokeSession } from './sessions.js';

export interface SessionRouteTools {
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly authenticator: Authenticator;
  readonly wrap: Wrap;
}

const tags = ['sessions'];

export function sessionRoutes(app: Http, tools: SessionRouteTools): void {
  const { db, cursors, wrap } = tools;
  app.get(
    '/sessions',
    {
      config: { permission: 'any', bucket: 'read' },
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List sessions, newest first. Without `admin`, only your own',
        querystring: SessionQuery,
        response: { 200: success(SessionPage) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const page = await readPage(cursors, {
        list: 'sessions',
        scope: principal.scope,
        query: request.query,
        fetch: (after, limit) =>
          listSessions(db.ledger(principal.scope), principal, after?.[0] ?? null, limit),
        position: ({ uuid }) => [uuid],
      });
      const sessions = page.items.map(({ session }) => session);
      return wrap(request, { sessions, next_cursor: page.nextCursor });
    },
  );
  app.post(
    '/sessions',
    {
      // A token is a secret and is shown once: a repeated request opens another session.
      config: {
        permission: 'any',
        bucket: 'ingest',
        takesIdempotencyKey: false,
        refusesSessions: true,
      },
      schema: {
        tags,
        operationId: 'openSession',
        summary: 'Open a session for a person. The token is shown only once',
        body: SessionBody,
        response: { 201: success(OpenedSession) },
      },
    },
    async (request, reply) => {
      const principal = callerOf(request);
      const opened = await db
        .ledger(principal.scope)
        .write((tx) => openSession(tx, principal, request.body));
      return reply.code(201).send(wrap(request, opened));
    },
  );
  app.delete(
    '/sessions/:id',
    {
      config: { permission: 'any', bucket: 'ingest' },
      schema: {
        tags,
        operationId: 'revokeSession',
        summary: 'Revoke a session',
        params: IdParams,
        response: { 200: success(Session) },
      },
    },
    async (request) => {
      const principal = callerOf(request);
      const revoked = await db
        .ledger(principal.scope)
        .write((tx) => revokeSession(tx, principal, request.params.id));
      tools.authenticator.forgetAll();
      return wrap(request, revoked);
    },
  );
}
