import type { Settings } from '@decision-ledger/contract/settings';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../platform/principal.js';
import type { Http } from './types.js';

export interface CorsTools {
  /** The origins in the settings of all ledgers: a preflight carries no key. */
  readonly everyOrigin: () => Promise<ReadonlySet<string>>;
}

/** What a browser may send, and what its page may read. */
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, Prefer, X-Ledger-Key',
  'access-control-max-age': '600',
};
const READABLE = [
  ...['Idempotency-Replayed', 'Preference-Applied', 'RateLimit', 'RateLimit-Policy'],
  ...['Retry-After', 'X-Request-ID'],
].join(', ');
const ALLOWED = 'access-control-allow-origin';
const EXPOSED = 'access-control-expose-headers';

/**
 * Lets pages of other origins use the routes with `isCrossOrigin`, and none other. It says what a browser may do;
 * whoever has a key needs no browser.
 */
export function addCors(app: Http, { everyOrigin }: CorsTools): void {
  const paths = new Set<string>();
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.isCrossOrigin === true) paths.add(url);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || !isShared(request, paths)) {
      done();
      return;
    }
    void reply.header('vary', 'Origin');
    everyOrigin().then(
      (origins) => {
        if (!origins.has(origin)) done();
        else if (request.method !== 'OPTIONS') {
          void reply.header(ALLOWED, origin).header(EXPOSED, READABLE);
          done();
        } else if (request.headers['access-control-request-method'] !== 'POST') done();
        else void reply.header(ALLOWED, origin).headers(PREFLIGHT).code(204).send();
      },
      // Without the database, the request itself is refused.
      () => done(),
    );
  });
}

function isShared(request: FastifyRequest, paths: ReadonlySet<string>): boolean {
  if (request.method === 'OPTIONS') return paths.has(request.url.split('?', 1)[0] ?? '');
  return request.routeOptions.config.isCrossOrigin === true;
}

/** Once the key is known, the origins of its ledger decide. */
export function addOwnOrigins(app: Http, settings: { get(scope: Scope): Promise<Settings> }): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { principal } = request;
    if (principal === null || reply.getHeader(ALLOWED) === undefined) {
      done();
      return;
    }
    settings.get(principal.scope).then(({ cors }) => {
      if (!cors.origins.includes(String(request.headers.origin))) withdraw(reply);
      done();
    }, done);
  });
}

function withdraw(reply: FastifyReply): void {
  reply.removeHeader(ALLOWED);
  reply.removeHeader(EXPOSED);
}
