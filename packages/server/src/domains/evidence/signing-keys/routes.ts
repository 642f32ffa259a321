import { SigningKeyPage, SigningKeyQuery } from '@decision-ledger/contract/export';
import { success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import { describeSigningKey, listSigningKeys, signingKeyPosition } from './list.js';
import type { SigningKeyPagePosition } from './store/signing-keys.js';

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
      const { scope } = callerOf(request);
      const page = await readPage(cursors, {
        list: 'signing-keys',
        scope,
        query: request.query,
        fetch: (after, limit) => listSigningKeys(db, scope, readPosition(after), limit),
        position: (row) => {
          const { createdAt, fingerprint } = signingKeyPosition(row);
          return [String(createdAt), fingerprint];
        },
      });
      const signing_keys = page.items.map(describeSigningKey);
      return wrap(request, { signing_keys, next_cursor: page.nextCursor });
    },
  );
}

function readPosition(after: readonly string[] | null): SigningKeyPagePosition | null {
  const [createdAt, fingerprint] = after ?? [];
  if (createdAt === undefined || fingerprint === undefined) return null;
  return { createdAt: Number(createdAt), fingerprint };
}
