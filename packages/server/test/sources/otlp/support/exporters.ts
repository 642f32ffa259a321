import { type Attributes, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';

export type Format = 'protobuf' | 'json';

/** An exporter of the OpenTelemetry SDK for Node.js, as users configure it. */
export function exporterTo(
  url: string,
  key: string,
  format: Format,
  compression: 'gzip' | 'none' = 'gzip',
): SpanExporter {
  const options = {
    url: `${url}/v1/traces`,
    headers: { 'X-Ledger-Key': key },
    // Idle connections would delay the end of the service.
    httpAgentOptions: { keepAlive: false },
    compression: compression === 'gzip' ? CompressionAlgorithm.GZIP : CompressionAlgorithm.NONE,
  };
  return format === 'json' ? new JsonExporter(options) : new ProtobufExporter(options);
}

/** The outcome of an export: undefined if it succeeded. */
export function exportSpans(exporter: SpanExporter, spans: ReadableSpan[]): Promise<unknown> {
  return new Promise((resolve) => {
    exporter.export(spans, ({ code, error }) => resolve(code === 0 ? undefined : error));
  });
}

export interface Made {
  readonly name?: string;
  readonly attributes?: Attributes;
  /** ms. */
  readonly start?: number;
  readonly failure?: string;
  readonly events?: readonly (readonly [name: string, attributes: Attributes])[];
}

export const START = Date.UTC(2026, 3, 16, 9, 29);

export const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'refund',
  'gen_ai.tool.call.id': 'call_7',
  'gen_ai.agent.name': 'refund-bot',
  'gen_ai.tool.call.arguments': '{"order_id":"A-1001","amount":"59.00"}',
  'gen_ai.tool.call.result': '{"refunded":true}',
  'decision_ledger.confidence': 0.93,
};

/** Spans that the SDK made, each of a trace of its own. */
export function makeSpans(made: readonly Made[]): ReadableSpan[] {
  const memory = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'shop' }),
    spanProcessors: [new SimpleSpanProcessor(memory)],
  });
  const tracer = provider.getTracer('agents', '1.0.0');
  for (const { name = 'execute_tool refund', attributes, start = START, ...rest } of made) {
    const span = tracer.startSpan(name, {
      root: true,
      startTime: start,
      ...(attributes !== undefined && { attributes }),
    });
    for (const [event, about] of rest.events ?? []) span.addEvent(event, about, start);
    if (rest.failure !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: rest.failure });
    }
    span.end(start + 250);
  }
  const spans = memory.getFinishedSpans();
  if (spans.some((span) => span.spanContext().traceFlags !== TraceFlags.SAMPLED)) {
    throw new Error('a span was not sampled');
  }
  trace.disable();
  return [...spans];
}
