import { success } from '@decision-ledger/contract/shared';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { mapInTurns } from '../platform/in-turns.js';
import type { Envelope, Wrap } from './envelope.js';

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

type TableRequest = FastifyRequest & { readonly query: { readonly format?: 'json' | 'csv' } };

/**
 * Answers JSON or a table, whichever the caller asks for: by the parameter `format`, or else by the
 * header Accept. A large table is written between other requests. One that is a page states the cursor of the next one in the header X-Next-Cursor.
 */
export function tableAnswerer(wrap: Wrap) {
  return async <Data extends object>(
    request: TableRequest,
    reply: FastifyReply,
    data: Data,
    { name, print }: TableFormat<Data>,
  ): Promise<string | Envelope<Data>> => {
    if (!wantsTable(request)) return wrap(request, data);
    void reply.headers({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}.csv"`,
    });
    if ('next_cursor' in data && typeof data.next_cursor === 'string') {
      void reply.header('x-next-cursor', data.next_cursor);
    }
    return (await mapInTurns(print(data), (row) => row)).join('');
  };
}

function wantsTable({ headers, query: { format } }: TableRequest): boolean {
  return format === undefined ? /^\s*text\/csv\b/i.test(headers.accept ?? '') : format === 'csv';
}
