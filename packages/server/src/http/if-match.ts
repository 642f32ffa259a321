import { LedgerError } from '@decision-ledger/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';

const MOST_CHARS = 1000;
/** A proxy that compresses answers may mark a tag as weak. */
const TAG = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/;

/**
 * Reads the header If-Match (RFC 9110).
 * @returns the tags of the states that the caller expects; null if it expects none in particular
 * @throws LedgerError `malformed_request` if it is not a list of entity tags
 */
export function readIfMatch({ headers }: Pick<FastifyRequest, 'headers'>): string[] | null {
  const text = headers['if-match'];
  if (text === undefined || text.trim() === '*') return null;
  if (text.length > MOST_CHARS) throw malformed();
  return text.split(',').map((part) => {
    const tag = TAG.exec(part.trim())?.[1];
    if (tag === undefined) throw malformed();
    return tag;
  });
}

/** States the tag of what is answered. */
export function setETag(reply: Pick<FastifyReply, 'header'>, tag: string): void {
  reply.header('etag', `"${tag}"`);
}

function malformed(): LedgerError {
  return new LedgerError(
    'malformed_request',
    'If-Match must be the ETag of an earlier answer, with its double quotes',
  );
}
