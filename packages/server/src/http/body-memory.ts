import { type LedgerError, unavailable } from '@decision-ledger/contract/errors';
import type { FastifyRequest } from 'fastify';
import { keyOf } from '../platform/principal.js';
import type { Http } from './types.js';

/** Maximum bytes of memory for request bodies. */
export interface BodyLimits {
  readonly all: number;
  readonly organisation: number;
  readonly key: number;
}

/** The body memory that is reserved for one request. */
export interface BodyReservation {
  /**
   * @throws LedgerError `unavailable` if the budget is used up; a single body is always accepted
   */
  reserve(bytes: number): void;
}

const COMMA = 0x2c;
const [OPEN_ARRAY, OPEN_OBJECT] = [0x5b, 0x7b];
/** Memory that V8 uses for an element or member, and for an object or array, at most. */
const [ELEMENT_BYTES, CONTAINER_BYTES] = [16, 56];

/** Bytes that a JSON text needs once parsed, in addition to its own: its text and its values. */
function parsedBytes(json: Uint8Array): number {
  let [elements, containers] = [0, 0];
  // An index, because an iterator costs several times as much.
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === COMMA) elements += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) containers += 1;
  }
  return json.length + elements * ELEMENT_BYTES + containers * CONTAINER_BYTES;
}

/**
 * Reserves the memory that a JSON text needs once parsed.
 * @param requireSize throws if the text is too large whatever the memory: its sender would repeat in vain
 * @throws LedgerError `unavailable`, and what `requireSize` throws
 */
export function reserveParsed(
  reservation: BodyReservation | null,
  json: Uint8Array,
  requireSize: () => void,
): void {
  try {
    reservation?.reserve(parsedBytes(json));
  } catch (error) {
    requireSize();
    throw error;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a request without a body. */
    bodyReservation: BodyReservation | null;
  }
}

/**
 * Limits the memory of all request bodies: announced bodies are counted before they are read, chunked
 * ones as they arrive, and parsed values are added. The memory is released once the response is sent
 * or its caller disconnected, and the handler has finished.
 */
export function addBodyMemory(app: Http, limits: BodyLimits): void {
  const counts = new Map<string, number>();
  app.decorateRequest('bodyReservation', null);
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (hasBody(request, announced)) {
      const reservation = new Reservation(counts, budgetsOf(request, limits));
      request.bodyReservation = reservation;
      // It follows the end of the response, too.
      reply.raw.once('close', () => reservation.release('connection'));
      // A body above the limit of its route is refused for that reason and never read.
      if (announced <= request.routeOptions.bodyLimit) reservation.reserve(announced);
    }
    done();
  });
  app.addHook('preHandler', ({ bodyReservation }, _reply, done) => {
    if (bodyReservation instanceof Reservation) bodyReservation.holdForHandler();
    done();
  });
  app.addHook('onSend', ({ bodyReservation }, _reply, _payload, done) => {
    if (bodyReservation instanceof Reservation) bodyReservation.release('handler');
    done();
  });
}

function hasBody({ headers, method }: FastifyRequest, announced: number): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return announced !== 0 || headers['transfer-encoding'] !== undefined;
}

interface Budget {
  readonly name: string;
  readonly max: number;
  readonly owner: string;
}

function budgetsOf({ principal }: FastifyRequest, limits: BodyLimits): Budget[] {
  const all = { name: 'all', max: limits.all, owner: 'this process' };
  if (principal === null) return [all];
  return [
    { name: keyOf(principal), max: limits.key, owner: 'this key' },
    { name: principal.scope.orgId, max: limits.organisation, owner: 'this organisation' },
    all,
  ];
}

class Reservation implements BodyReservation {
  readonly #counts: Map<string, number>;
  readonly #budgets: readonly Budget[];
  /** The parts that still use the body. */
  readonly #users = new Set<'connection' | 'handler'>(['connection']);
  #bytes = 0;

  constructor(counts: Map<string, number>, budgets: readonly Budget[]) {
    this.#counts = counts;
    this.#budgets = budgets;
  }

  reserve(bytes: number): void {
    const exceeded = this.#budgets.find(({ name, max }) => {
      const count = this.#countOf(name);
      return count > this.#bytes && count + bytes > max;
    });
    if (exceeded !== undefined) throw budgetExceeded(exceeded);
    this.#add(bytes);
  }

  holdForHandler(): void {
    this.#users.add('handler');
  }

  release(user: 'connection' | 'handler'): void {
    this.#users.delete(user);
    if (this.#users.size > 0) return;
    this.#add(-this.#bytes);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    for (const { name } of this.#budgets) {
      const count = this.#countOf(name) + bytes;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

function budgetExceeded({ max, owner }: Budget): LedgerError {
  const size = `${Math.floor(max / 1024 / 1024)} MiB`;
  return unavailable(
    `request bodies of ${owner} already use the maximum of ${size}: send fewer at the same time`,
  );
}
