import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import type { FastifyRequest } from 'fastify';
import { parsedBytes } from './body-memory.js';
import { readBytes } from './read-bytes.js';
import type { Http } from './types.js';

/** A payload field may be as deep as the gate allows; a body is one level around it. */
const BODY_DEPTH = MAX_DEPTH + 1;
/** Behind a body of more bytes, other requests have their turn before it is checked. */
const PIECE_BYTES = 512 * 1024;
const SIZE = { values: LIMITS.bodyValues, members: LIMITS.bodyMembers };

/** Takes JSON bodies through the gate: what would not survive faithfully is refused, with its path. */
export function addBodyGate(app: Http): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readBytes(request, payload);
      const value = readBody(request, body);
      if (body.length > PIECE_BYTES) await setImmediate();
      return value;
    },
  );
}

function readBody(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new LedgerError('unsupported_media_type', 'send the body without content-encoding');
  }
  // Some callers name a content type with every request, those without a body too.
  if (body.length === 0 && request.routeOptions.schema?.body === undefined) return undefined;
  if (body.length === 0) throw new LedgerError('malformed_request', 'the body is empty');
  if (!isUtf8(body)) throw new LedgerError('malformed_request', 'the body is not UTF-8');
  request.bodyRoom?.take(parsedBytes(body));
  const depth = request.routeOptions.config.bodyDepth ?? BODY_DEPTH;
  return parseJson(body.toString('utf8'), depth, SIZE);
}
