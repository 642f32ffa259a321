import { OpenTelemetry } from '@ai-sdk/otel';
import { generateText, registerTelemetry, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { scripted } from './scripted-model.js';
import { ORDERS, refundOrder, register } from './shop.js';

const provider = register();
registerTelemetry(new OpenTelemetry());
const inputSchema = z.object({ order_id: z.string() });
const refund = tool({ inputSchema, execute: ({ order_id }) => refundOrder(order_id) });
for (const order of ORDERS) {
  await generateText({
    model: scripted(order),
    prompt: `refund ${order}`,
    tools: { refund },
    stopWhen: stepCountIs(3),
    telemetry: { isEnabled: true, functionId: 'refund-bot' },
  });
}
await provider.shutdown();
