import { LIMITS } from '@decision-ledger/contract/limits';
import {
  OtlpDroppedAnswer,
  OtlpDroppedRequest,
  OtlpTraceAnswer,
  OtlpTraceRequest,
  SpanGroups,
} from '@decision-ledger/contract/otlp';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { readBytes } from '../../../http/body-gate.js';
import { reserveParsed } from '../../../http/body-memory.js';
import { type EndpointTools, read } from '../../../http/endpoints.js';
import { callerOf } from '../../../http/envelope.js';
import { shownError } from '../../../http/errors.js';
import { markOf } from '../../../http/request-headers.js';
import type { Http } from '../../../http/types.js';
import { describeSpanGroups } from './describe.js';
import { CONTENT_TYPE, encodingOf, requireEncoding } from './encoding.js';
import type { OtlpReceiveTools } from './receive.js';
import { type SpanLog, spanLog } from './span-log.js';

export interface OtlpRouteTools
  extends EndpointTools,
    Omit<OtlpReceiveTools, 'markSpan' | 'spanLog'> {
  readonly idempotencyKey: Buffer;
  readonly metrics: OtlpReceiveTools['metrics'] & { countDropped(signal: string): void };
}

const PATH = '/v1/traces';

/** What exporters send to the same address beside traces: `OTEL_EXPORTER_OTLP_ENDPOINT` is that of all signals. */
const DROPPED = [
  { signal: 'metrics', path: '/v1/metrics', operationId: 'exportMetrics' },
  { signal: 'logs', path: '/v1/logs', operationId: 'exportLogs' },
] as const;

/** Protobuf, which JSON Schema does not describe. */
const Protobuf = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

/** A body or an answer in either encoding. */
const contentOf = (schema: TSchema) => ({
  content: {
    [CONTENT_TYPE.protobuf]: { schema: Protobuf },
    [CONTENT_TYPE.json]: { schema },
  },
});

/** Traces in OTLP/HTTP, whose path exporters append to the address of the service, and what arrived. */
export function otlpRoutes(app: Http, tools: OtlpRouteTools): void {
  const log = spanLog((reason) =>
    app.log.warn({ reason }, 'what arrived over OTLP could not be stored'),
  );
  app.addHook('onClose', () => log.close());
  app.register(
    (api: Http, _options, done) => {
      addSpanGroups(api, tools, log);
      done();
    },
    { prefix: '/api/v1' },
  );
  const receiveTools = { ...tools, spanLog: log };
  app.register((own: Http, _options, done) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', readBytes);
    // The schema of the body is a description: the readers check more than a schema can say.
    own.setValidatorCompiler(() => (value: unknown) => ({ value }));
    own.setErrorHandler(sendStatus);
    addTraces(own, receiveTools);
    for (const dropped of DROPPED) addDropped(own, dropped, receiveTools);
    done();
  });
}

function addSpanGroups(app: Http, tools: OtlpRouteTools, log: SpanLog): void {
  read(app, tools, {
    path: '/otlp/spans',
    config: { permission: 'admin' },
    tag: 'settings',
    operationId: 'listSpanGroups',
    summary: 'List what arrived over OTLP in the last day, by scope and result',
    data: SpanGroups,
    answer: async ({ ledger }) => describeSpanGroups(await log.read(ledger), ledger.clock.now()),
  });
}

type ReceiveTools = OtlpRouteTools & { readonly spanLog: SpanLog };

function addTraces(app: Http, tools: ReceiveTools): void {
  const markSpan = (key: string, canonical: string) =>
    markOf(tools.idempotencyKey, key, `POST ${PATH}`, canonical);
  const receiveTools = { ...tools, markSpan };
  app.post(
    PATH,
    {
      config: {
        permission: 'ingest',
        bucket: 'ingest',
        answersStatus: true,
        errors: ['invalid_state'],
      },
      bodyLimit: LIMITS.otlpBodyBytes + LIMITS.uploadBytes,
      schema: {
        tags: ['decisions'],
        operationId: 'exportTraces',
        summary: 'Record decisions from OpenTelemetry spans (OTLP/HTTP)',
        body: contentOf(OtlpTraceRequest),
        response: {
          200: contentOf(OtlpTraceAnswer),
        },
      },
    },
    async (request, reply) => {
      const encoding = requireEncoding(request.headers['content-type']);
      // Loaded on first use: most services receive no spans.
      const { receiveTraces } = await import('./receive.js');
      const answer = await receiveTraces(
        receiveTools.db.ledger(callerOf(request).scope),
        receiveTools,
        {
          encoding,
          packing: (request.headers['content-encoding'] ?? 'identity').toLowerCase(),
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          reserve: (bytes) => request.bodyReservation?.reserve(bytes),
          reserveParsed: (body, requireSize) =>
            reserveParsed(request.bodyReservation, body, requireSize),
        },
      );
      return reply.type(CONTENT_TYPE[encoding]).send(answer);
    },
  );
}

/** A signal that is not recorded: an exporter that is refused says so for ever in the log of its agent. */
function addDropped(
  app: Http,
  { signal, path, operationId }: (typeof DROPPED)[number],
  { db, metrics, spanLog }: ReceiveTools,
): void {
  let isSaid = false;
  app.post(
    path,
    {
      config: { permission: 'ingest', bucket: 'ingest', answersStatus: true },
      bodyLimit: LIMITS.otlpBodyBytes,
      schema: {
        tags: ['decisions'],
        operationId,
        summary: `Accept OpenTelemetry ${signal} without recording them (OTLP/HTTP)`,
        body: contentOf(OtlpDroppedRequest),
        response: { 200: contentOf(OtlpDroppedAnswer) },
      },
    },
    async (request, reply) => {
      const encoding = requireEncoding(request.headers['content-type']);
      metrics.countDropped(signal);
      spanLog.addRequest(db.ledger(callerOf(request).scope), signal, 'not_recorded');
      if (!isSaid) request.log.warn(`OpenTelemetry ${signal} arrive, which are not recorded`);
      isSaid = true;
      return reply.type(CONTENT_TYPE[encoding]).send(Buffer.from(encoding === 'json' ? '{}' : ''));
    },
  );
}

/** Failures in OTLP are a google.rpc.Status in the encoding of the request. */
async function sendStatus(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const shown = shownError(error, request);
  const { encodeFailure } = await import('./answer.js');
  const encoding = encodingOf(request.headers['content-type']) ?? 'json';
  const body = encodeFailure(encoding, shown);
  await reply.code(shown.status).headers(shown.headers).type(CONTENT_TYPE[encoding]).send(body);
}
