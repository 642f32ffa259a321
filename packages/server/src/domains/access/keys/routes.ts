import { IssuedKey, Key, KeyBody, KeyPage, KeyQuery } from '@decision-ledger/contract/access';
import { IdParams } from '@decision-ledger/contract/shared';
import { change, type EndpointTools, list } from '../../../http/endpoints.js';
import { byText } from '../../../http/paging.js';
import { readIdempotencyMark } from '../../../http/request-headers.js';
import type { Http } from '../../../http/types.js';
import type { Authenticator } from './authenticate.js';
import { issueKeyOnce, listKeys, revokeKey } from './keys.js';

export interface KeyRouteTools extends EndpointTools {
  readonly authenticator: Authenticator;
}

const WRITE = { permission: 'admin', bucket: 'ingest' } as const;
const tag = 'keys';

export function keyRoutes(app: Http, tools: KeyRouteTools): void {
  list(app, tools, {
    path: '/keys',
    config: { permission: 'admin' },
    tag,
    operationId: 'listKeys',
    summary: 'List the keys of this mode, newest first',
    query: KeyQuery,
    data: KeyPage,
    key: byText,
    fetch: ({ ledger }, { after, limit }) => listKeys(ledger, after, limit),
    keyOf: ({ uuid }) => uuid,
    show: ({ items, next_cursor }) => ({ keys: items.map(({ key }) => key), next_cursor }),
  });
  change(app, tools, {
    method: 'POST',
    path: '/keys',
    config: WRITE,
    tag,
    operationId: 'issueKey',
    summary: 'Issue a key. The key is shown only once',
    body: KeyBody,
    data: IssuedKey,
    status: 201,
    answer: ({ ledger, request, principal, body }) => {
      const mark = readIdempotencyMark(tools.idempotencyKey, request, body);
      return ledger.write((tx) => issueKeyOnce(tx, principal, body, mark));
    },
  });
  change(app, tools, {
    method: 'DELETE',
    path: '/keys/:id',
    config: WRITE,
    tag,
    operationId: 'revokeKey',
    summary: 'Revoke a key',
    params: IdParams,
    data: Key,
    answer: async ({ ledger, principal, params }) => {
      const revoked = await ledger.write((tx) => revokeKey(tx, principal, params.id));
      tools.authenticator.forgetAll();
      return revoked;
    },
  });
}
