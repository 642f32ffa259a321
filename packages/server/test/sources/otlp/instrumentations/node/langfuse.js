import { LangfuseSpanProcessor } from '@langfuse/otel';
import { startActiveObservation } from '@langfuse/tracing';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { ORDERS, refundOrder, register } from './shop.js';

const provider = register(
  new LangfuseSpanProcessor({ exporter: new OTLPTraceExporter(), exportMode: 'immediate' }),
);
for (const order of ORDERS) {
  await startActiveObservation('refund-bot', () => call(order), { asType: 'agent' });
}
await provider.shutdown();

async function call(order) {
  const asType = 'tool';
  const run = async (observation) => {
    observation.update({ input: { order_id: order } });
    observation.update({ output: refundOrder(order) });
  };
  await startActiveObservation('refund', run, { asType }).catch(() => undefined);
}
