// @ts-check
// A support agent that is traced with OpenTelemetry. Its tool calls become decisions; its turns with the
// model do not. Nothing here but the addresses knows of the ledger.
import process from 'node:process';
import { SpanStatusCode } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { prepare, report } from './ledger.js';

const { LEDGER_URL: url = 'http://127.0.0.1:8080', LEDGER_KEY: key = '' } = process.env;
await prepare(url, key);

const exporter = new OTLPTraceExporter({
  url: `${url}/v1/traces`,
  headers: { 'X-Ledger-Key': key },
});
const provider = new BasicTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'support-agent' }),
  spanProcessors: [new BatchSpanProcessor(exporter)],
});
const tracer = provider.getTracer('support-agent');

for (const [order_id, amount] of [
  ['A-1041', '49.00'],
  ['A-1042', '120.00'],
]) {
  tracer.startActiveSpan('chat', { attributes: { 'gen_ai.operation.name': 'chat' } }, (turn) => {
    turn.end();
  });
  callTool('refund', { order_id, amount }, 0.93, () => ({ refunded: amount }));
}
callTool('cancel_order', { order_id: 'A-1043' }, 0.6, () => {
  throw new Error('the order was shipped');
});
await provider.shutdown();
await report(url, key);

/**
 * A tool call as the GenAI semantic conventions describe it, with the confidence of the agent.
 * @param {string} name
 * @param {{ [name: string]: string }} input
 * @param {number} confidence
 * @param {() => object} tool
 */
function callTool(name, input, confidence, tool) {
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.agent.name': 'support-agent',
    'gen_ai.tool.call.arguments': JSON.stringify(input),
    'decision_ledger.confidence': confidence,
    'decision_ledger.metadata.order_id': input.order_id,
  };
  tracer.startActiveSpan(`execute_tool ${name}`, { attributes }, (span) => {
    try {
      span.setAttribute('gen_ai.tool.call.result', JSON.stringify(tool()));
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) });
    } finally {
      span.end();
    }
  });
}
