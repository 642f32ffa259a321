import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { MAX_DEPTH, parseJson, parseJsonInTurns, requireSize } from '@decision-ledger/proof/gate';
import type { FastifyRequest } from 'fastify';
import { reserveParsed } from './body-memory.js';
import { readBytes } from './read-bytes.js';
import type { Http } from './types.js';

/** A payload field may be as deep as the gate allows; the body adds one level. */
const BODY_DEPTH = MAX_DEPTH + 1;
/** Larger bodies are parsed in turns, so that other requests are served in between. */
const PIECE_BYTES = 64 * 1024;
const SIZE = { values: LIMITS.bodyValues, members: LIMITS.bodyMembers };

/** Parses JSON bodies. Values that cannot be stored faithfully are refused, with their path. */
export function addBodyGate(app: Http): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const body = await readBytes(request, payload);
      const isLong = body.length > PIECE_BYTES;
      if (isLong) await setImmediate();
      if (!isWanted(request, body)) return undefined;
      if (isLong) await setImmediate();
      const text = body.toString('utf8');
      const depth = request.routeOptions.config.bodyDepth ?? BODY_DEPTH;
      if (!isLong) return parseJson(text, depth, SIZE);
      await setImmediate();
      const value = await parseJsonInTurns(text, depth, SIZE, setImmediate);
      await setImmediate();
      return value;
    },
  );
}

/**
 * Whether a body is to be parsed: it is UTF-8, and there is memory for its values.
 * @returns false for an empty body on a route that needs none
 */
function isWanted(request: FastifyRequest, body: Buffer): boolean {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new LedgerError('unsupported_media_type', 'send the body without content-encoding');
  }
  // Some clients send a content type even without a body.
  const { schema, config } = request.routeOptions;
  const needsBody = schema?.body !== undefined && config.hasOptionalBody !== true;
  if (body.length === 0 && !needsBody) return false;
  if (body.length === 0) throw new LedgerError('malformed_request', 'the body is empty');
  if (!isUtf8(body)) throw new LedgerError('malformed_request', 'the body is not UTF-8');
  reserveParsed(request.bodyReservation, body, () => requireSize(body.toString('utf8'), SIZE));
  return true;
}
