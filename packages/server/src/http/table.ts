import { success } from '@decision-ledger/contract/envelope';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';

const Csv = Type.String({ description: 'CSV (RFC 4180), UTF-8, with a header.' });

/** The response of a route that answers JSON or, on request, a table. */
export const withTable = <Data extends TSchema>(data: Data) => ({
  description: 'JSON, or a table for `format=csv`.',
  content: { 'application/json': { schema: success(data) }, 'text/csv': { schema: Csv } },
});

/** Whether the caller asks for a table: by the parameter `format`, or else by the header Accept. */
export function wantsTable(
  { headers }: FastifyRequest,
  format: 'json' | 'csv' | undefined,
): boolean {
  return format === undefined ? /^\s*text\/csv\b/i.test(headers.accept ?? '') : format === 'csv';
}

/** A table to answer with. */
export interface Table {
  /** Name of the file, without its ending. */
  readonly name: string;
  readonly text: string;
  /** Of the next page, if the table is a page of a list. */
  readonly nextCursor?: string | null;
}

/** Sets the headers of a table. The cursor of the next page is the header X-Next-Cursor. */
export function tableOf(reply: FastifyReply, { name, text, nextCursor }: Table): string {
  void reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}.csv"`,
    'cache-control': 'private, no-store',
  });
  if (typeof nextCursor === 'string') void reply.header('x-next-cursor', nextCursor);
  return text;
}
