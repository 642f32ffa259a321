import { SigningKeyPage, SigningKeyQuery } from '@decision-ledger/contract/export';
import { type EndpointTools, list } from '../../../http/endpoints.js';
import { byPlace } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import { describeSigningKey, listSigningKeys, signingKeyPosition } from './list.js';

export function signingKeyRoutes(app: Http, tools: EndpointTools): void {
  list(app, tools, {
    path: '/signing-keys',
    tag: 'exports',
    operationId: 'listSigningKeys',
    summary: 'List the public signing keys, including retired ones',
    query: SigningKeyQuery,
    data: SigningKeyPage,
    key: byPlace,
    fetch: ({ principal }, { after, limit }) => {
      const last = after === null ? null : { createdAt: after.at, fingerprint: after.id };
      return listSigningKeys(tools.db, principal.scope, last, limit);
    },
    keyOf: (row) => {
      const { createdAt, fingerprint } = signingKeyPosition(row);
      return { at: createdAt, id: fingerprint };
    },
    show: ({ items, next_cursor }) => ({
      signing_keys: items.map(describeSigningKey),
      next_cursor,
    }),
  });
}
