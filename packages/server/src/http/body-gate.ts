import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { MAX_DEPTH, parseJson, parseJsonInTurns, requireSize } from '@decision-ledger/proof/gate';
import type { FastifyRequest } from 'fastify';
import { reserveParsed } from './body-memory.js';
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

const FIRST_BYTES = 64 * 1024;

/**
 * Reads a body into one growing buffer, which is at most twice as large as the bytes received,
 * however small the chunks are.
 * @throws LedgerError `payload_too_large`, `unavailable`, or `malformed_request` if the body is cut
 */
export function readBytes(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  const length = payload.headers['content-length'];
  const announced = length === undefined ? null : Number(length);
  if (announced !== null && announced > limit) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    let size = 0;
    const stop = (error: unknown) => {
      payload.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      bytes = Buffer.alloc(0);
      reject(error);
    };
    const onCut = () =>
      stop(new LedgerError('malformed_request', 'the body is shorter than announced'));
    const onEnd = () => {
      payload.off('close', onCut);
      resolve(bytes.subarray(0, size));
    };
    const onData = (chunk: Buffer) => {
      try {
        if (size + chunk.length > limit) throw tooLarge();
        if (size + chunk.length > bytes.length) {
          const wanted = Math.max(FIRST_BYTES, 2 * (size + chunk.length));
          const grown = Math.min(wanted, announced ?? limit);
          if (announced === null) request.bodyReservation?.reserve(grown - bytes.length);
          bytes = Buffer.concat([bytes.subarray(0, size)], grown);
        }
        size += chunk.copy(bytes, size);
      } catch (error) {
        stop(error);
      }
    };
    payload.on('data', onData).once('end', onEnd).once('error', onCut).once('close', onCut);
  });
}

function tooLarge(): LedgerError {
  return new LedgerError('payload_too_large', 'the body is larger than this path accepts');
}
