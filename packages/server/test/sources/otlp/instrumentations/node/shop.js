// What all agents here share: the exporter, a tool that ends in three ways, and the calls of it.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

/** One is carried out, one is denied, and one fails. */
export const ORDERS = ['A-1', 'A-2', 'A-3'];

/** Sends each span to the address of the standard variables as soon as it ends. */
export function register(...spanProcessors) {
  const resource = resourceFromAttributes({ 'service.name': 'shop' });
  const own = new SimpleSpanProcessor(new OTLPTraceExporter());
  const processors = spanProcessors.length === 0 ? [own] : spanProcessors;
  const provider = new NodeTracerProvider({ resource, spanProcessors: processors });
  provider.register();
  return provider;
}

export function refundOrder(order) {
  if (order === 'A-2') return { approved: false, reason: 'above the limit' };
  if (order === 'A-3') throw new Error('the bank is closed');
  return { approved: true, amount: '12.00' };
}
