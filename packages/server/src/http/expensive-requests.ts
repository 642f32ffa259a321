import type { FastifyRequest } from 'fastify';
import { FairPlaces, type Place } from '../platform/fair-places.js';
import type { Http } from './types.js';

/** Larger bodies are parsed in turns, and take a place for that. */
export const LARGE_BYTES = 64 * 1024;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether its work is expensive, so that it takes a place among the reads; default: what counts as a read. */
    readonly isExpensive?: boolean;
  }
  interface FastifyRequest {
    /** Null for a request that needs none. */
    places: HeldPlaces | null;
  }
}

/** The places of one request. It keeps them while it is worked on, also if its caller is gone. */
class HeldPlaces {
  readonly #held: Place[] = [];
  #isOver = false;

  /** @returns a promise if it has to wait */
  take(places: FairPlaces, owner: string): Promise<void> | undefined {
    const place = places.take(owner);
    if (!(place instanceof Promise)) {
      this.#hold(place);
      return undefined;
    }
    return place.then((granted) => this.#hold(granted));
  }

  #hold(place: Place): void {
    if (this.#isOver) place.release();
    else this.#held.push(place);
  }

  release(): void {
    this.#isOver = true;
    for (const place of this.#held) place.release();
  }
}

/** Callers of one organisation that wait, whom nothing but this would refuse. */
const WAITING = 1000;

/** Those that parse, check and record a large body at the same time. */
const LARGE_BODIES = { all: 4, each: 2, waiting: WAITING };

/** Of the connections to the database, so that reads never use all of them. */
const READING_SHARE = 0.6;

/**
 * Shares the process among organisations: of the requests that may keep the thread or the database busy, which are reads
 * and large bodies, a few are worked on at a time, and the others wait. Everything else never waits here.
 * @param connections of the process to its database
 */
export function addExpensiveRequests(app: Http, connections: number): { largeBodies: FairPlaces } {
  const all = Math.max(3, Math.floor(connections * READING_SHARE));
  const reads = new FairPlaces({ all, each: Math.ceil(all / 2), waiting: WAITING });
  const largeBodies = new FairPlaces(LARGE_BODIES);
  app.decorateRequest('places', null);
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (isExpensive(request) || mayBeLarge(request)) request.places = new HeldPlaces();
    done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const { places } = request;
    const needed = isExpensive(request) ? reads : isLargeAsItCame(request) ? largeBodies : null;
    if (needed === null || places === null) {
      done();
      return;
    }
    const begin = () => {
      if (reply.raw.destroyed) {
        // Nothing is done for a caller who is gone.
        places.release();
        reply.hijack();
      }
      done();
    };
    const waiting = places.take(needed, ownerOf(request));
    if (waiting === undefined) begin();
    else waiting.then(begin, done);
  });
  app.addHook('onSend', ({ places }, _reply, _payload, done) => {
    places?.release();
    done();
  });
  return { largeBodies };
}

function isExpensive({ routeOptions }: FastifyRequest): boolean {
  const { bucket, isExpensive: isNamed = bucket === 'read' } = routeOptions.config;
  return isNamed;
}

function mayBeLarge({ headers }: FastifyRequest): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > LARGE_BYTES
  );
}

/** Its bytes are for the handler to read. */
function isLargeAsItCame({ body }: FastifyRequest): boolean {
  return Buffer.isBuffer(body) && body.length > LARGE_BYTES;
}

export function ownerOf({ principal }: FastifyRequest): string {
  return principal?.scope.orgId ?? 'nobody';
}
