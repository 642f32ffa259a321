import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import {
  type JsonValue,
  MAX_DEPTH,
  parseJson,
  parseJsonInTurns,
  requireSize,
} from '@decision-ledger/proof/gate';
import type { FastifyRequest } from 'fastify';
import type { FairPlaces } from '../platform/fair-places.js';
import { reserveParsed } from './body-memory.js';
import { LARGE_BYTES, ownerOf } from './expensive-requests.js';
import { addLenientBodies, parseLeniently } from './lenient-body.js';
import type { Http } from './types.js';

/** A payload field may be as deep as the gate allows; the body adds one level. */
const BODY_DEPTH = MAX_DEPTH + 1;
const SIZE = { values: LIMITS.bodyValues, members: LIMITS.bodyMembers };

/**
 * Parses JSON bodies. Values that cannot be stored faithfully are refused, with their path.
 * @param largeBodies the places of bodies that are parsed in turns
 */
export function addBodyGate(app: Http, largeBodies: FairPlaces): void {
  addLenientBodies(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    (request: FastifyRequest, payload: IncomingMessage, done) => {
      readBytes(request, payload, (error, body) => {
        if (body === undefined) done(error);
        else if (body.length > LARGE_BYTES) {
          parseLarge(request, body, largeBodies).then((value) => done(null, value), done);
        } else {
          parseAtOnce(request, body, done);
        }
      });
    },
  );
}

type Done<Body> = (error: Error | null, body?: Body) => void;

function parseAtOnce(request: FastifyRequest, body: Buffer, done: Done<JsonValue>): void {
  let value: JsonValue | undefined;
  try {
    if (isWanted(request, body)) value = parseJson(body.toString('utf8'), depthOf(request), SIZE);
  } catch (error) {
    const leniently = parseLeniently(request, body, error, SIZE);
    if (leniently === null) done(errorOf(error));
    else leniently.then((parsed) => done(null, parsed), done);
    return;
  }
  done(null, value);
}

/** In turns, so that other requests are served in between. */
async function parseLarge(
  request: FastifyRequest,
  body: Buffer,
  places: FairPlaces,
): Promise<JsonValue | undefined> {
  await request.places?.take(places, ownerOf(request));
  await setImmediate();
  if (!isWanted(request, body)) return undefined;
  await setImmediate();
  const text = body.toString('utf8');
  await setImmediate();
  const value = await parseText(request, body, text);
  await setImmediate();
  return value;
}

async function parseText(request: FastifyRequest, body: Buffer, text: string): Promise<JsonValue> {
  try {
    return await parseJsonInTurns(text, depthOf(request), SIZE, setImmediate);
  } catch (error) {
    const leniently = parseLeniently(request, body, error, SIZE);
    if (leniently === null) throw error;
    return await leniently;
  }
}

function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('the body could not be read');
}

function depthOf({ routeOptions }: FastifyRequest): number {
  return routeOptions.config.bodyDepth ?? BODY_DEPTH;
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

const EMPTY = Buffer.alloc(0);

/**
 * Reads a body into one growing buffer, which is at most twice as large as the bytes received,
 * however small the chunks are.
 * @param done called once, with the body or a LedgerError: `payload_too_large`, `unavailable`, or
 *   `malformed_request` if the body is cut
 */
export function readBytes(
  request: FastifyRequest,
  payload: IncomingMessage,
  done: Done<Buffer>,
): void {
  const limit = request.routeOptions.bodyLimit;
  const length = payload.headers['content-length'];
  const announced = length === undefined ? null : Number(length);
  if (announced !== null && announced > limit) {
    done(tooLarge());
    return;
  }
  let bytes: Buffer = EMPTY;
  let size = 0;
  let isOver = false;
  const end = (error: Error | null, body?: Buffer) => {
    isOver = true;
    bytes = EMPTY;
    done(error, body);
  };
  const onCut = () => {
    if (isOver) return;
    end(new LedgerError('malformed_request', 'the body is shorter than announced'));
  };
  const onEnd = () => {
    if (!isOver) end(null, bytes.subarray(0, size));
  };
  const makeRoom = (more: number) => {
    if (size + more > limit) throw tooLarge();
    if (size + more <= bytes.length) return;
    const wanted = Math.max(FIRST_BYTES, 2 * (size + more));
    const grown = Math.min(wanted, announced ?? limit);
    if (announced === null) request.bodyReservation?.reserve(grown - bytes.length);
    bytes = Buffer.concat([bytes.subarray(0, size)], grown);
  };
  const onData = (chunk: Buffer) => {
    if (isOver) return;
    if (chunk.length === announced) {
      // Most bodies arrive in one piece.
      bytes = chunk;
      size = chunk.length;
      return;
    }
    try {
      makeRoom(chunk.length);
      size += chunk.copy(bytes, size);
    } catch (error) {
      end(errorOf(error));
    }
  };
  payload.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
}

function tooLarge(): LedgerError {
  return new LedgerError('payload_too_large', 'the body is larger than this path accepts');
}
