import { success } from '@decision-ledger/contract/envelope';
import { SigningKeyPage, SigningKeyQuery } from '@decision-ledger/contract/signing-key';
import type { CursorCodec } from '../../../http/cursor.js';
import { principalOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import { describeKey, listSigningKeys, positionOf } from './list.js';
import type { PagePosition } from './store/signing-keys.js';

export interface SigningKeyRouteTools {
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

export function signingKeyRoutes(app: Http, { db, cursors, wrap }: SigningKeyRouteTools): void {
  app.get(
    '/signing-keys',
    {
      config: { permission: 'read', bucket: 'read' },
      schema: {
        tags: ['exports'],
        operationId: 'listSigningKeys',
        summary: 'List the public signing keys, including retired ones',
        querystring: SigningKeyQuery,
        response: { 200: success(SigningKeyPage) },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const page = await readPage(cursors, {
        list: 'signing-keys',
        scope,
        query: request.query,
        fetch: (after, limit) => listSigningKeys(db, scope, readPosition(after), limit),
        position: (row) => {
          const { createdAt, fingerprint } = positionOf(row);
          return [String(createdAt), fingerprint];
        },
      });
      const signing_keys = page.items.map(describeKey);
      return wrap(request, { signing_keys, next_cursor: page.nextCursor });
    },
  );
}

function readPosition(after: readonly string[] | null): PagePosition | null {
  const [createdAt, fingerprint] = after ?? [];
  if (createdAt === undefined || fingerprint === undefined) return null;
  return { createdAt: Number(createdAt), fingerprint };
}
