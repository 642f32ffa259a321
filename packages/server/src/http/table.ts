import { success } from '@decision-ledger/contract/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { mapInTurns } from '../platform/in-turns.js';

const Csv = Type.String({ description: 'CSV (RFC 4180), UTF-8, with a header.' });

/** The response of a route that answers JSON or, on request, a table. */
export const withTable = <Data extends TSchema>(data: Data) => ({
  description: 'JSON, or a table for `format=csv`.',
  content: { 'application/json': { schema: success(data) }, 'text/csv': { schema: Csv } },
});

/** How an answer is written as a table. */
export interface TableFormat<Data> {
  /** Name of the file, without its ending. */
  readonly name: string;
  /** Its rows. */
  readonly print: (data: Data) => Iterable<string>;
}

/** Whether the caller asks for a table: by the parameter `format`, or else by the header Accept. */
function wantsTable({ headers, query }: FastifyRequest): boolean {
  const format: unknown = Reflect.get(Object(query), 'format');
  return format === undefined ? /^\s*text\/csv\b/i.test(headers.accept ?? '') : format === 'csv';
}

/**
 * Answers with a table if the caller asks for one. A large table is written between other requests. One that is a
 * page states the cursor of the next one in the header X-Next-Cursor.
 * @returns null if the caller wants JSON
 */
export async function printTable<Data>(
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  data: Data,
  { name, print }: TableFormat<Data>,
): Promise<string | null> {
  if (!wantsTable(request)) return null;
  void reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
  });
  const cursor: unknown = Reflect.get(Object(data), 'next_cursor');
  if (typeof cursor === 'string') void reply.header('x-next-cursor', cursor);
  return (await mapInTurns(print(data), (row) => row)).join('');
}
