import { maxHeaderSize } from 'node:http';
import type { Duplex } from 'node:stream';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { checker, queryChecker } from '@decision-ledger/contract/validation';
import swagger from '@fastify/swagger';
import { type FastifyBaseLogger, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import type { Config } from './config.js';
import { accountingRoutes } from './domains/accounting/routes.js';
import { activityRoutes } from './domains/activity/routes.js';
import { analyticsRoutes } from './domains/analytics/routes.js';
import { announceVerification } from './domains/announcements/index.js';
import { correlationAsker } from './domains/attribution/index.js';
import { decisionRoutes } from './domains/decisions/routes.js';
import { downloadLinks, withdraw } from './domains/exports/index.js';
import { exportRoutes } from './domains/exports/routes.js';
import { financialEventRoutes } from './domains/financial-events/routes.js';
import { jobRoutes } from './domains/jobs/routes.js';
import { createAuthenticator } from './domains/keys/index.js';
import { keyRoutes } from './domains/keys/routes.js';
import { linkRoutes } from './domains/links/routes.js';
import { openSettings, settingsReader } from './domains/settings/index.js';
import { settingsRoutes } from './domains/settings/routes.js';
import { signingKeyRoutes } from './domains/signing-keys/routes.js';
import { positionCodec, redeemTicket, type StreamHub, streamHub } from './domains/stream/index.js';
import { streamEndpoint, streamRoutes } from './domains/stream/routes.js';
import { stripeRoutes } from './domains/stripe/routes.js';
import { viewRoutes } from './domains/views/routes.js';
import { addAccessLog } from './http/access-log.js';
import { addAuthorization } from './http/authorize.js';
import { addBodyGate } from './http/body-gate.js';
import { createCursorCodec } from './http/cursor.js';
import { wrapper } from './http/envelope.js';
import { errorBody, handleError } from './http/errors.js';
import { addMethodNotAllowed } from './http/method-not-allowed.js';
import { openApi } from './http/openapi.js';
import { handshakeLimiter } from './http/rate-limit/handshakes.js';
import { createLeaseStore } from './http/rate-limit/lease-store.js';
import { createLeasedLimiter } from './http/rate-limit/leased-limiter.js';
import { createMemoryLimiter } from './http/rate-limit/limiter.js';
import { addServiceRoutes, type ServiceRouteTools } from './http/service-routes.js';
import type { Http } from './http/types.js';
import { addUndeclaredInput } from './http/undeclared-input.js';
import { oneSweep } from './platform/one-sweep.js';
import type { Scope } from './platform/scope.js';
import type { Service } from './service.js';
import { verificationDesk } from './verification/desk.js';
import { VERSION } from './version.js';

/** The HTTP side of the service, ready to listen. Closing it leaves the service open. */
export async function createApp(service: Service, config: Config, log: Logger): Promise<Http> {
  const { ids } = service;
  const loggerInstance: FastifyBaseLogger = log;
  const app: Http = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => ids.next('req'),
    bodyLimit: LIMITS.bodyBytes,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 2000 },
    onProtoPoisoning: 'ignore',
    frameworkErrors: (error, request, reply) => {
      // No hook has run for such a request.
      void reply.header('x-request-id', request.id);
      handleError(error, request, reply);
    },
    clientErrorHandler: ({ code }, socket) => answerUnreadable(code, socket, ids.next('req')),
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(() => {
    throw new LedgerError('not_found', 'no such path');
  });
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    const part = httpPart ?? 'body';
    const check = part === 'querystring' ? queryChecker(schema) : checker(schema, part);
    return (value: unknown) => {
      try {
        return { value: check(value) };
      } catch (error) {
        return { error: error instanceof Error ? error : new Error('the check failed') };
      }
    };
  });
  addHooks(app, service);
  if (log.isLevelEnabled('info')) addAccessLog(app);
  const finishRoutes = addMethodNotAllowed(app);
  await app.register(swagger, openApi(VERSION));
  const serviceTools = {
    metrics: service.metrics,
    version: VERSION,
    isReady: () => service.db.ping(),
  };
  addServiceRoutes(app, serviceTools);
  // A worker answers those who watch over it, and nobody else.
  if (config.role !== 'worker') await addRoutes(app, service, config, serviceTools);
  finishRoutes(app);
  return app;
}

function addHooks(app: Http, { metrics }: Service): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  addBodyGate(app);
}

async function addRoutes(
  app: Http,
  service: Service,
  { publicUrl }: Config,
  serviceTools: ServiceRouteTools,
): Promise<void> {
  const { db, clock, keyring, storage, metrics } = service;
  const authenticator = createAuthenticator(db, clock);
  const settings = settingsReader(db, clock);
  const verifier = verificationDesk(storage.address, (...told) =>
    announceVerification(service, ...told).catch((error: unknown) =>
      app.log.warn({ reason: reasonOf(error) }, 'a verification was not announced'),
    ),
  );
  app.addHook('onClose', () => verifier.close());
  const tools = {
    ...service,
    ...{ authenticator, settings, verifier, publicUrl },
    links: downloadLinks(keyring.tokens('download links'), clock),
    cursors: createCursorCodec(keyring.tokens('cursor')),
    idempotencyKey: keyring.kept('idempotency'),
    wrap: wrapper(clock),
    signingSecrets: async (scope: Scope) =>
      (await openSettings(service, db, scope)).stripe.signing_secrets,
    onSettings: (scope: Scope) => {
      settings.forgetAll();
      service.models.forget(scope);
    },
    onErased: oneSweep(
      (scope) => withdraw(service, scope),
      (error) =>
        app.log.warn({ err: error }, 'exports of what was erased wait for the next cleanup'),
    ),
    onEvents: correlationAsker(db, service.jobs, (error) =>
      app.log.warn({ err: error }, 'the correlation of new events was not asked for'),
    ),
  };
  const stream = {
    ...{ ...tools, hub: openHub(app, service) },
    onStreamEnd: metrics.countStreamEnd,
  };
  addAuthorization(app, {
    ...{ authenticator, settings, handshakes: handshakeLimiter(clock) },
    redeemTicket: (ticket) => redeemTicket(service, ticket),
    limiter:
      storage.address.kind === 'embedded'
        ? createMemoryLimiter(clock)
        : createLeasedLimiter(clock, createLeaseStore(db)),
    onRateLimited: metrics.countRateLimited,
  });
  addUndeclaredInput(app);
  await app.register(
    (api: Http, _options, done) => {
      addServiceRoutes(api, serviceTools);
      decisionRoutes(api, tools);
      viewRoutes(api, tools);
      analyticsRoutes(api, tools);
      activityRoutes(api, tools);
      keyRoutes(api, tools);
      settingsRoutes(api, tools);
      financialEventRoutes(api, tools);
      linkRoutes(api, tools);
      exportRoutes(api, tools);
      signingKeyRoutes(api, tools);
      jobRoutes(api, tools);
      accountingRoutes(api, tools);
      stripeRoutes(api, tools);
      streamRoutes(api, stream);
      done();
    },
    { prefix: '/api/v1' },
  );
  streamEndpoint(app, stream);
}

/** Connections that may read what is behind them at once; the embedded engine does one thing at a time. */
const LANES = { embedded: 1, postgres: 3 };

function openHub(app: Http, service: Service): StreamHub {
  const { db, clock, stopwatch, keyring, storage, metrics } = service;
  return streamHub({
    ...{ db, clock, stopwatch, positions: positionCodec(keyring.tokens('stream positions')) },
    news: () => storage.news,
    lanes: LANES[storage.address.kind],
    onError: (error) => app.log.error({ reason: reasonOf(error) }, 'the stream could not be read'),
    onCount: metrics.showStreams,
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const HEAD_TOO_LARGE = `the request line and headers are larger than ${maxHeaderSize / 1024} KiB together`;

/** Bytes that are no HTTP never become a request: the envelope is written by hand. */
function answerUnreadable(code: string, socket: Duplex, requestId: string): void {
  if (!socket.writable) return;
  const isTooLarge = code === 'HPE_HEADER_OVERFLOW';
  const problem = isTooLarge ? HEAD_TOO_LARGE : 'the bytes received are not an HTTP request';
  const body = JSON.stringify(errorBody(new LedgerError('malformed_request', problem)));
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n' +
      `X-Request-ID: ${requestId}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
