import type { Static, TSchema } from 'typebox';
import { type Client, dataOf } from '../support/client.js';

/** All pages of a list. */
export async function pagesOf<Schema extends TSchema>(
  client: Client,
  path: string,
  schema: Schema,
  next: (page: Static<Schema>) => string | null,
): Promise<Static<Schema>[]> {
  const pages: Static<Schema>[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = dataOf(await client.get(`${path}limit=500${more}`), schema);
    pages.push(page);
    cursor = next(page);
  }
  return pages;
}
