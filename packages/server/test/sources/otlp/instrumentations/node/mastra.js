import process from 'node:process';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { z } from 'zod';
import { scripted } from './scripted-model.js';
import { ORDERS, refundOrder } from './shop.js';

const endpoint = `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
const [name = '', value] = (process.env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split('=');
const headers = { [name]: value };
const exporter = new OtelExporter({
  provider: { custom: { endpoint, headers, protocol: 'http/protobuf' } },
});
const observability = new Observability({
  configs: { otel: { serviceName: 'shop', exporters: [exporter] } },
});
const refund = createTool({
  id: 'refund',
  description: 'Refunds an order.',
  inputSchema: z.object({ order_id: z.string() }),
  execute: async ({ order_id }) => refundOrder(order_id),
});
const agents = Object.fromEntries(
  ORDERS.map((order) => [
    order,
    new Agent({
      id: `refund-bot-${order}`,
      name: 'refund-bot',
      instructions: 'Refund.',
      model: scripted(order),
      tools: { refund },
    }),
  ]),
);
const mastra = new Mastra({ agents, observability });
for (const order of ORDERS) await mastra.getAgent(order).generate(`refund ${order}`);
await observability.shutdown();
