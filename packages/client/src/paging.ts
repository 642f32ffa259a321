import type { Api } from './api.js';
import type { CallOptions } from './http.js';

/** An answer that may be followed by more. */
interface AnyPage {
  readonly next_cursor: string | null;
}

/** The members of a page that are lists. */
type ListName<Page> = {
  [Name in keyof Page]: Page[Name] extends readonly unknown[] ? Name : never;
}[keyof Page];

type ItemOf<Page, Name extends keyof Page> = Page[Name] extends readonly (infer Item)[]
  ? Item
  : never;

/** A list that is read page by page, while it is iterated. */
export interface PagedList<Page, Item> extends AsyncIterable<Item> {
  /** The pages, for the members of an answer beside the list. */
  pages(): AsyncIterable<Page>;
  /** The first page alone. */
  page(): Promise<Page>;
  /** All items, or the first `limit`. */
  toArray(limit?: number): Promise<Item[]>;
}

/** @param name the member of a page that holds its items */
export function pagedList<Page extends AnyPage, Name extends ListName<Page> & string>(
  api: Api,
  path: string,
  name: Name,
  query: { readonly cursor?: string },
  options: CallOptions,
): PagedList<Page, ItemOf<Page, Name>> {
  const load = (cursor: string | undefined) =>
    api.get<Page>(path, { ...query, ...(cursor !== undefined && { cursor }) }, options);
  async function* pages() {
    let cursor: string | undefined = query.cursor;
    for (;;) {
      const page = await load(cursor);
      yield page;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }
  async function* items(): AsyncGenerator<ItemOf<Page, Name>> {
    for await (const page of pages()) {
      const list: unknown = page[name];
      if (Array.isArray(list)) yield* list;
    }
  }
  return {
    pages,
    page: () => load(query.cursor),
    [Symbol.asyncIterator]: items,
    async toArray(limit = Number.POSITIVE_INFINITY) {
      const found: ItemOf<Page, Name>[] = [];
      if (limit <= 0) return found;
      for await (const item of items()) {
        found.push(item);
        if (found.length >= limit) break;
      }
      return found;
    },
  };
}
