import { fileURLToPath } from 'node:url';
import { LIMITS } from '@decision-ledger/contract/limits';
import { STREAM_PATH } from '@decision-ledger/contract/stream';
import { checker, queryChecker } from '@decision-ledger/contract/validation';
import swagger from '@fastify/swagger';
import { type FastifyBaseLogger, type FastifyRequest, fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import type { Config, Intake } from './config.js';
import { createAuthenticator, keyCredentials } from './domains/access/keys/index.js';
import { keyRoutes } from './domains/access/keys/routes.js';
import { organisationRoutes } from './domains/access/organisations/routes.js';
import { sessionCredentials } from './domains/access/sessions/index.js';
import { sessionRoutes } from './domains/access/sessions/routes.js';
import { everyOrigin, openSettings, type TriedChange } from './domains/access/settings/index.js';
import { settingsRoutes } from './domains/access/settings/routes.js';
import { liabilityRoutes } from './domains/answers/analytics/liability-routes.js';
import { analyticsRoutes } from './domains/answers/analytics/routes.js';
import { experimentRoutes } from './domains/answers/experiments/routes.js';
import { searchRoutes } from './domains/answers/search/routes.js';
import { viewRoutes } from './domains/answers/views/routes.js';
import { budgetRoutes } from './domains/delivery/alerts/routes.js';
import {
  positionCodec,
  redeemTicket,
  type StreamHub,
  streamHub,
} from './domains/delivery/stream/index.js';
import { streamEndpoint, streamRoutes } from './domains/delivery/stream/routes.js';
import { downloadLinks, EXPORT_QUEUES, withdrawExports } from './domains/evidence/exports/index.js';
import { exportRoutes } from './domains/evidence/exports/routes.js';
import { presentationRoutes } from './domains/evidence/presentations/routes.js';
import { signingKeyRoutes } from './domains/evidence/signing-keys/routes.js';
import { transparencyRoutes } from './domains/evidence/transparency/routes.js';
import { previewSettings } from './domains/judgement/liability/index.js';
import { reviewRoutes } from './domains/judgement/reviews/routes.js';
import { activityRoutes } from './domains/log/activity/routes.js';
import { announceVerification } from './domains/log/announcements/index.js';
import { verificationRoutes } from './domains/log/announcements/routes.js';
import { jobRoutes } from './domains/operations/jobs/routes.js';
import { storedFigures } from './domains/operations/monitoring/index.js';
import { batchRoutes } from './domains/record/decisions/batch-routes.js';
import { decisionRoutes } from './domains/record/decisions/routes.js';
import { financialEventRoutes } from './domains/record/financial-events/routes.js';
import { linkRoutes } from './domains/record/links/routes.js';
import { previewMoney } from './domains/record/movements/index.js';
import { movementRoutes } from './domains/record/movements/routes.js';
import { uploadRoutes } from './domains/record/uploads/routes.js';
import { accountingRoutes } from './domains/sources/accounting/routes.js';
import { otlpRoutes } from './domains/sources/otlp/routes.js';
import { stripeRoutes } from './domains/sources/stripe/routes.js';
import { addAccessLog } from './http/access-log.js';
import { declarePublic, governedResponse } from './http/answer-policy.js';
import { addAuthorization } from './http/authorize.js';
import { addBodyGate } from './http/body-gate.js';
import { addBodyMemory } from './http/body-memory.js';
import { limitConnections, serverOptions } from './http/connections.js';
import { addCors, addOwnOrigins } from './http/cors.js';
import { addDashboard, openDashboard } from './http/dashboard.js';
import { addDocumentation, openSite } from './http/documentation.js';
import { openDrain } from './http/drain.js';
import { envelopeWrapper } from './http/envelope.js';
import { handleError } from './http/errors.js';
import { addExpensiveRequests } from './http/expensive-requests.js';
import { openApi } from './http/openapi/description.js';
import { createCursorCodec } from './http/paging.js';
import { publicAddress, publicPath } from './http/public-address.js';
import { openLimits, recordCharger } from './http/rate-limit/limits.js';
import { rawAnswers } from './http/raw-answers.js';
import { addHeadChecks, addUndeclaredInput, addUnknownRoutes } from './http/request-checks.js';
import { addPagesInTurns, serializerCompiler } from './http/serializers.js';
import { addServiceRoutes, type ServiceRouteTools } from './http/service-routes.js';
import type { Http } from './http/types.js';
import { addUpgrades } from './http/websocket.js';
import { coalesce } from './platform/coalesce.js';
import { reasonOf } from './platform/failures.js';
import type { Ledger } from './platform/ledger.js';
import type { Scope } from './platform/principal.js';
import { ON_PRIMARY } from './platform/replica.js';
import type { Service } from './service.js';
import { type VerificationPool, verificationPool } from './verification/verification-pool.js';
import { VERSION } from './version.js';

/** Composes the HTTP server, ready to listen. Closing it does not close the service. */
export async function createApp(service: Service, config: Config, log: Logger): Promise<Http> {
  const { ids } = service;
  const loggerInstance: FastifyBaseLogger = log;
  const nextRequestId = () => ids.next('req');
  const drain = openDrain();
  const raw = rawAnswers(nextRequestId);
  const Response = governedResponse({ nextRequestId, isStopping: drain.isStopping });
  const app: Http = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    bodyLimit: LIMITS.bodyBytes,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // The drain answers requests that arrive after a stop, in the envelope.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    ...serverOptions(config.intake, Response),
    routerOptions: { maxParamLength: 2000 },
    onProtoPoisoning: 'ignore',
    frameworkErrors: (error, request, reply) => {
      // No hook has run for this request.
      void reply.header('x-request-id', request.id);
      handleError(error, request, reply);
    },
    clientErrorHandler: raw.onClientError,
  });
  const answers = raw.watch(app);
  app.setErrorHandler(handleError);
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
  app.setSerializerCompiler(serializerCompiler);
  addPagesInTurns(app);
  addHooks(app, service, config.intake);
  drain.watch(app, answers, raw.refuse);
  if (log.isLevelEnabled('info')) addAccessLog(app);
  if (config.role !== 'worker' && config.hasDashboard) addBuiltPages(app);
  if (config.role !== 'worker') {
    addCors(app, { everyOrigin: everyOrigin(service.installation, service.clock) });
  }
  addUnknownRoutes(app);
  await app.register(swagger, openApi(VERSION));
  const serviceTools = {
    metrics: service.metrics,
    version: VERSION,
    ...{ db: service.db, damage: service.damage },
    publicPath: (request: FastifyRequest) => publicPath(config, request),
    refreshFigures: storedFigures({
      ...service,
      exportQueues: EXPORT_QUEUES.map(({ name }) => name),
      onFigures: (figures) => service.metrics.showStored(figures, service.clock.now()),
      onError: (error) =>
        log.warn({ reason: reasonOf(error) }, 'the figures for /metrics could not be read'),
    }),
  };
  addServiceRoutes(app, serviceTools);
  // A worker serves only the routes for monitoring.
  if (config.role !== 'worker') {
    addUpgrades(app, STREAM_PATH, answers, Response);
    await addRoutes(app, service, config, serviceTools);
  }
  return app;
}

/** A build without the sources of the dashboard or the documentation has none to serve. */
function addBuiltPages(app: Http): void {
  const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const site = openSite(folder('site'));
  if (site !== null) addDocumentation(app, site);
  // After it: what neither has, the dashboard says to a browser.
  const files = openDashboard(folder('dashboard'));
  if (files !== null) addDashboard(app, files);
}

function addHooks(app: Http, { db, metrics }: Service, { bodyBytes, connections }: Intake): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    const { publicAnswer } = request.routeOptions.config;
    if (publicAnswer !== undefined) declarePublic(reply.raw, publicAnswer);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  addHeadChecks(app);
  limitConnections(app, connections);
  const { largeBodies } = addExpensiveRequests(app, db.pool().max);
  addBodyMemory(app, { all: bodyBytes, organisation: bodyBytes / 2, key: bodyBytes / 4 });
  addBodyGate(app, largeBodies);
}

async function addRoutes(
  app: Http,
  service: Service,
  config: Config,
  serviceTools: ServiceRouteTools,
): Promise<void> {
  const { db, installation, clock, keyring, metrics, settings } = service;
  const kinds = [keyCredentials(installation), sessionCredentials(installation)];
  const authenticator = createAuthenticator(clock, kinds);
  const verifier = openVerifier(app, service);
  const tools = {
    ...service,
    authenticator,
    verifier,
    publicUrl: (request: FastifyRequest) => publicAddress(app.server, config, request),
    links: downloadLinks(service, keyring.tokens('download links')),
    cursors: createCursorCodec(keyring.tokens('cursor')),
    idempotencyKey: keyring.kept('idempotency'),
    wrap: envelopeWrapper(clock),
    reads: ON_PRIMARY,
    signingSecrets: async (scope: Scope) =>
      (await openSettings(db.ledger(scope), service)).stripe.signing_secrets,
    previewSettings: async (ledger: Ledger, change: TriedChange) => ({
      ...(await previewSettings(ledger, change)),
      money: await previewMoney(ledger, change),
    }),
    onSettings: (scope: Scope) => {
      settings.forgetAll();
      service.models.forget(scope);
    },
    onErased: withdrawer(app, service),
  };
  const onReplica = { ...tools, reads: service.reads };
  const stream = {
    ...tools,
    hub: openHub(app, service),
    ticketKeys: keyring.tokens('stream tickets'),
    onStreamEnd: metrics.countStreamEnd,
  };
  const isShared = service.storage.address.kind !== 'embedded';
  const limits = openLimits({
    ...{ clock, db, isShared, settings },
    onRateLimited: metrics.countRateLimited,
  });
  addAuthorization(app, {
    ...{ ...limits, settings, authenticator, readLink: tools.links.read },
    redeemTicket: (ticket) => redeemTicket(stream, ticket),
  });
  addOwnOrigins(app, settings);
  addUndeclaredInput(app);
  await app.register(
    (api: Http, _options, done) => {
      addServiceRoutes(api, serviceTools);
      for (const add of [searchRoutes, analyticsRoutes, liabilityRoutes, experimentRoutes]) {
        add(api, onReplica);
      }
      for (const add of [decisionRoutes, batchRoutes, uploadRoutes]) add(api, tools);
      for (const add of [viewRoutes, activityRoutes, verificationRoutes]) add(api, tools);
      for (const add of [keyRoutes, sessionRoutes, organisationRoutes]) add(api, tools);
      settingsRoutes(api, tools);
      financialEventRoutes(api, tools);
      for (const add of [linkRoutes, movementRoutes, reviewRoutes]) add(api, tools);
      for (const add of [exportRoutes, signingKeyRoutes]) add(api, tools);
      for (const add of [transparencyRoutes, presentationRoutes]) add(api, tools);
      for (const add of [jobRoutes, budgetRoutes]) add(api, tools);
      accountingRoutes(api, tools);
      stripeRoutes(api, tools);
      streamRoutes(api, stream);
      done();
    },
    { prefix: '/api/v1' },
  );
  streamEndpoint(app, stream);
  otlpRoutes(app, { ...tools, charge: recordCharger(limits, 'ingest') });
}

/** Removes exports that show what was erased. */
function withdrawer(app: Http, service: Service): (scope: Scope) => void {
  return coalesce(
    (scope) => withdrawExports(service.db.ledger(scope), service),
    (error) =>
      app.log.warn(
        { err: error },
        'exports with erased data could not be removed; the next cleanup retries',
      ),
  );
}

function openVerifier(app: Http, service: Service): VerificationPool {
  const { clock, db, storage, metrics } = service;
  const verifier = verificationPool(storage.address, async (scope, ...verified) => {
    const [chain, { finding }] = verified;
    metrics.observeVerification(chain, finding === null, clock.now());
    await announceVerification(db.ledger(scope), ...verified).catch((error: unknown) =>
      app.log.warn({ reason: reasonOf(error) }, 'a verification could not be announced'),
    );
  });
  app.addHook('onClose', () => verifier.close());
  return verifier;
}

function openHub(app: Http, service: Service): StreamHub {
  const { db, clock, stopwatch, keyring, storage, metrics } = service;
  return streamHub({
    db,
    clock,
    stopwatch,
    positions: positionCodec(keyring.tokens('stream positions')),
    notifications: () => storage.notifications,
    // The embedded engine runs one statement at a time.
    concurrentReplays: storage.address.kind === 'embedded' ? 1 : 3,
    onError: (error) => app.log.error({ reason: reasonOf(error) }, 'the stream could not be read'),
    onCount: metrics.showStreams,
  });
}
