import { setImmediate as nextTurn } from 'node:timers/promises';
import { unavailable } from '@decision-ledger/contract/errors';
import { Health, INTERFACE_VERSION, Version } from '@decision-ledger/contract/operations';
import type { FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../platform/database.js';
import type { DamageRecord } from '../platform/failures.js';
import { asyncApi } from './asyncapi.js';
import { namedSchemas } from './openapi/description.js';
import { serversAt } from './openapi/header.js';
import type { Http } from './types.js';

export interface ServiceRouteTools {
  readonly version: string;
  readonly metrics: { readonly registry: Registry };
  /** Updates the metrics that are computed on request; cached, so it returns quickly. */
  readonly refreshFigures: () => Promise<void>;
  readonly db: Pick<Database, 'ping'>;
  readonly damage: Pick<DamageRecord, 'places'>;
  /** The path below which a proxy makes the service public. */
  readonly publicPath: (request: FastifyRequest) => string;
}

/** Routes for operators and monitoring. They need no key and disclose no tenant data. */
export function addServiceRoutes(app: Http, tools: ServiceRouteTools): void {
  const { version, metrics, refreshFigures, publicPath } = tools;
  const schema = { tags: ['service'] };
  app.get(
    '/version',
    {
      schema: {
        ...schema,
        operationId: 'getVersion',
        summary: 'Get the running version',
        response: { 200: Version },
      },
    },
    () => ({ version, interface: INTERFACE_VERSION }),
  );
  app.get(
    '/healthz',
    {
      schema: {
        ...schema,
        operationId: 'getHealth',
        summary: 'Check whether the process is alive',
        response: { 200: Health },
      },
    },
    () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    {
      config: { errors: ['unavailable'] },
      schema: {
        ...schema,
        operationId: 'getReadiness',
        summary: 'Check whether the service can answer requests',
        response: { 200: Health },
      },
    },
    async () => {
      await requireUsable(tools);
      return { status: 'ok' as const };
    },
  );
  app.get(
    '/metrics',
    { schema: { ...schema, operationId: 'getMetrics', summary: 'Get the metrics for Prometheus' } },
    async (_, reply) => {
      await refreshFigures();
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    },
  );
  app.get(
    '/openapi.json',
    {
      schema: {
        ...schema,
        operationId: 'getOpenApi',
        summary: 'Get the OpenAPI description of this API',
      },
    },
    async (request) => {
      // The first one takes a tenth of a second to make, so other requests are served in between.
      namedSchemas();
      await nextTurn();
      const description = app.swagger();
      await nextTurn();
      return { ...description, servers: serversAt(publicPath(request)) };
    },
  );
  app.get(
    '/asyncapi.json',
    {
      schema: {
        ...schema,
        operationId: 'getAsyncApi',
        summary: 'Get the AsyncAPI description of the stream',
      },
    },
    (request) => asyncApi(version, publicPath(request)),
  );
}

/** How many damaged places are named. */
const NAMED = 5;

/** @throws LedgerError `unavailable` with the reason */
async function requireUsable({ db, damage }: ServiceRouteTools): Promise<void> {
  const places = [...damage.places].slice(0, NAMED);
  if (places.length > 0) throw unavailable(`the database is damaged: ${places.join('; ')}`, 60);
  await db.ping();
}
