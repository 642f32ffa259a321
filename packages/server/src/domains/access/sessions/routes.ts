import {
  OpenedSession,
  Session,
  SessionBody,
  SessionPage,
  SessionQuery,
} from '@decision-ledger/contract/access';
import { IdParams } from '@decision-ledger/contract/shared';
import { change, type EndpointTools, list } from '../../../http/endpoints.js';
import { byText } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Authenticator } from '../keys/index.js';
import { listSessions, openSession, revokeSession } from './sessions.js';

export interface SessionRouteTools extends EndpointTools {
  readonly authenticator: Authenticator;
}

const WRITE = { permission: 'any', bucket: 'ingest' } as const;
const tag = 'sessions';

export function sessionRoutes(app: Http, tools: SessionRouteTools): void {
  list(app, tools, {
    path: '/sessions',
    config: { permission: 'any' },
    tag,
    operationId: 'listSessions',
    summary: 'List sessions, newest first. Without `admin`, only your own',
    query: SessionQuery,
    data: SessionPage,
    key: byText,
    fetch: ({ ledger, principal }, { after, limit }) =>
      listSessions(ledger, principal, after, limit),
    keyOf: ({ uuid }) => uuid,
    show: ({ items, next_cursor }) => ({
      sessions: items.map(({ session }) => session),
      next_cursor,
    }),
  });
  change(app, tools, {
    method: 'POST',
    path: '/sessions',
    // A token is a secret and is shown once: a repeated request opens another session.
    config: { ...WRITE, takesIdempotencyKey: false, refusesSessions: true },
    tag,
    operationId: 'openSession',
    summary: 'Open a session for a person. The token is shown only once',
    body: SessionBody,
    data: OpenedSession,
    status: 201,
    answer: ({ ledger, principal, body }) => ledger.write((tx) => openSession(tx, principal, body)),
  });
  change(app, tools, {
    method: 'DELETE',
    path: '/sessions/:id',
    config: WRITE,
    tag,
    operationId: 'revokeSession',
    summary: 'Revoke a session',
    params: IdParams,
    data: Session,
    answer: async ({ ledger, principal, params }) => {
      const revoked = await ledger.write((tx) => revokeSession(tx, principal, params.id));
      tools.authenticator.forgetAll();
      return revoked;
    },
  });
}
