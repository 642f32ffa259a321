import { SearchPage, SearchQuery } from '@decision-ledger/contract/search';
import { success } from '@decision-ledger/contract/shared';
import type { CursorCodec } from '../../../http/cursor.js';
import { callerOf, type Wrap } from '../../../http/envelope.js';
import { readPage } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import type { Database } from '../../../platform/database.js';
import { findRecords } from './find.js';

export interface SearchRouteTools {
  readonly db: Database;
  readonly cursors: CursorCodec;
  readonly wrap: Wrap;
}

export function searchRoutes(app: Http, { db, cursors, wrap }: SearchRouteTools): void {
  app.get(
    '/search',
    {
      config: { permission: 'read', bucket: 'read' },
      schema: {
        tags: ['decisions'],
        operationId: 'search',
        summary: 'Search decisions and financial events by ID, text, amount or metadata value',
        querystring: SearchQuery,
        response: { 200: success(SearchPage) },
      },
    },
    async (request) => {
      const { scope } = callerOf(request);
      const ledger = db.ledger(scope);
      const page = await readPage(cursors, {
        list: 'search',
        scope,
        query: request.query,
        fetch: (after, limit) => findRecords(ledger, request.query.q, after, limit),
        position: ({ position }) => [String(position.timestamp), position.id],
      });
      const results = page.items.flatMap(({ hit }) => hit ?? []);
      return wrap(request, { results, next_cursor: page.nextCursor });
    },
  );
}
