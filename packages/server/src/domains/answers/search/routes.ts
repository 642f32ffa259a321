import { SearchPage, SearchQuery } from '@decision-ledger/contract/search';
import { type EndpointTools, list } from '../../../http/endpoints.js';
import { byPlace } from '../../../http/paging.js';
import type { Http } from '../../../http/types.js';
import { findRecords } from './find.js';

export function searchRoutes(app: Http, tools: EndpointTools): void {
  list(app, tools, {
    path: '/search',
    tag: 'decisions',
    operationId: 'search',
    summary: 'Search decisions and financial events by ID, text, amount or metadata value',
    query: SearchQuery,
    data: SearchPage,
    key: byPlace,
    fetch: ({ ledger, query }, slice) => findRecords(ledger, query.q, slice),
    keyOf: ({ place }) => place,
    show: ({ items, next_cursor }) => ({
      results: items.flatMap(({ hit }) => hit ?? []),
      next_cursor,
    }),
  });
}
