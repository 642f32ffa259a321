import { type LedgerError, unavailable } from '@decision-ledger/contract/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Http } from './types.js';

/** Bytes of memory that bodies may take. */
export interface BodyLimits {
  readonly all: number;
  readonly organisation: number;
  readonly key: number;
}

/** The room that one request has taken. */
export interface BodyRoom {
  /**
   * @throws LedgerError `unavailable` where others have taken so much that there is not as much left;
   *   one body alone always has room
   */
  take(bytes: number): void;
}

const COMMA = 0x2c;
const [OPEN_ARRAY, OPEN_OBJECT] = [0x5b, 0x7b];
/** What V8 takes for an element or a member, and for an object or an array, at most. */
const [ELEMENT_BYTES, CONTAINER_BYTES] = [16, 56];

/** What a JSON text takes beyond its bytes once it is parsed: its text, and each of its values. */
export function parsedBytes(json: Uint8Array): number {
  let [elements, containers] = [0, 0];
  for (const byte of json) {
    if (byte === COMMA) elements += 1;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) containers += 1;
  }
  return json.length + elements * ELEMENT_BYTES + containers * CONTAINER_BYTES;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a request without a body. */
    bodyRoom: BodyRoom | null;
  }
}

/**
 * Counts the memory of all bodies that are read or worked on: those announced by their length before the
 * first byte is read, those in chunks as they arrive, and what becomes of them when they are parsed. It
 * counts until the request is answered and done with, also where its caller is gone; so what waits to be
 * written is in it.
 */
export function addBodyMemory(app: Http, limits: BodyLimits): void {
  const counts = new Map<string, number>();
  app.decorateRequest('bodyRoom', null);
  app.addHook('preParsing', async (request, reply) => {
    const { headers, method } = request;
    const announced = Number(headers['content-length'] ?? 0);
    const isChunked = headers['transfer-encoding'] !== undefined;
    if (method === 'GET' || method === 'HEAD' || (announced === 0 && !isChunked)) return;
    const room = new Room(counts, sharesOf(request, limits));
    request.bodyRoom = room;
    for (const end of ['finish', 'close']) reply.raw.once(end, () => room.leave('connection'));
    // A body that is larger than its path takes is refused for that, and never read.
    if (announced <= request.routeOptions.bodyLimit) room.take(announced);
  });
  app.addHook('preHandler', async ({ bodyRoom }) => {
    if (bodyRoom instanceof Room) bodyRoom.enterHandler();
  });
  app.addHook('onSend', async ({ bodyRoom }: FastifyRequest, _reply: FastifyReply) => {
    if (bodyRoom instanceof Room) bodyRoom.leave('handler');
  });
}

interface Share {
  readonly name: string;
  readonly most: number;
  readonly of: string;
}

function sharesOf({ principal }: FastifyRequest, limits: BodyLimits): Share[] {
  const all = { name: 'all', most: limits.all, of: 'this process' };
  if (principal === null) return [all];
  return [
    { name: principal.actor, most: limits.key, of: 'this key' },
    { name: principal.scope.orgId, most: limits.organisation, of: 'this organisation' },
    all,
  ];
}

class Room implements BodyRoom {
  readonly #counts: Map<string, number>;
  readonly #shares: readonly Share[];
  /** What the request is still needed by. */
  readonly #users = new Set<'connection' | 'handler'>(['connection']);
  #bytes = 0;

  constructor(counts: Map<string, number>, shares: readonly Share[]) {
    this.#counts = counts;
    this.#shares = shares;
  }

  take(bytes: number): void {
    const full = this.#shares.find(({ name, most }) => {
      const count = this.#countOf(name);
      return count > this.#bytes && count + bytes > most;
    });
    if (full !== undefined) throw noRoom(full);
    this.#add(bytes);
  }

  enterHandler(): void {
    this.#users.add('handler');
  }

  leave(user: 'connection' | 'handler'): void {
    this.#users.delete(user);
    if (this.#users.size > 0) return;
    this.#add(-this.#bytes);
  }

  #add(bytes: number): void {
    this.#bytes += bytes;
    for (const { name } of this.#shares) {
      const count = this.#countOf(name) + bytes;
      if (count === 0) this.#counts.delete(name);
      else this.#counts.set(name, count);
    }
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}

function noRoom({ most, of }: Share): LedgerError {
  const size = `${Math.floor(most / 1024 / 1024)} MiB`;
  return unavailable(
    `bodies that take more than ${size} are under way for ${of}: send fewer at once`,
  );
}
