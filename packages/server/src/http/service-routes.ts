import { unavailable } from '@decision-ledger/contract/errors';
import { Health, Version } from '@decision-ledger/contract/service';
import type { Registry } from 'prom-client';
import { asyncApi } from './asyncapi.js';
import type { Http } from './types.js';

export interface ServiceRouteTools {
  readonly version: string;
  readonly metrics: { readonly registry: Registry };
  /** Brings figures up to date that are not counted as things happen; it takes no time to speak of. */
  readonly refreshFigures: () => Promise<void>;
  /** Rejects while the database does not answer. */
  readonly isReady: () => Promise<void>;
}

/** What operators and their machinery ask: no key needed, and nothing of any tenant in it. */
export function addServiceRoutes(
  app: Http,
  { version, metrics, refreshFigures, isReady }: ServiceRouteTools,
): void {
  const schema = { tags: ['service'] };
  app.get(
    '/version',
    { schema: { ...schema, summary: 'The running version', response: { 200: Version } } },
    () => ({ version }),
  );
  app.get(
    '/healthz',
    { schema: { ...schema, summary: 'Whether the process lives', response: { 200: Health } } },
    () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    { schema: { ...schema, summary: 'Whether it can serve', response: { 200: Health } } },
    async () => {
      try {
        await isReady();
      } catch (error) {
        throw unavailable('the database does not answer', 1, error);
      }
      return { status: 'ok' as const };
    },
  );
  app.get(
    '/metrics',
    { schema: { ...schema, summary: 'Figures for Prometheus' } },
    async (_, reply) => {
      await refreshFigures();
      return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
    },
  );
  app.get('/openapi.json', { schema: { ...schema, summary: 'This description' } }, () =>
    app.swagger(),
  );
  app.get(
    '/asyncapi.json',
    { schema: { ...schema, summary: 'The description of the stream' } },
    () => asyncApi(version),
  );
}
