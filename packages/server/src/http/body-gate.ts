import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { LedgerError } from '@decision-ledger/contract/errors';
import { MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import type { FastifyRequest } from 'fastify';
import { parsedBytes } from './body-memory.js';
import { readBytes } from './read-bytes.js';
import type { Http } from './types.js';

/** A payload field may be as deep as the gate allows; a body is one level around it. */
const BODY_DEPTH = MAX_DEPTH + 1;

/** Takes JSON bodies through the gate: what would not survive faithfully is refused, with its path. */
export function addBodyGate(app: Http): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    async (request: FastifyRequest, payload: IncomingMessage) =>
      readBody(request, await readBytes(request, payload)),
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
  return parseJson(body.toString('utf8'), request.routeOptions.config.bodyDepth ?? BODY_DEPTH);
}
