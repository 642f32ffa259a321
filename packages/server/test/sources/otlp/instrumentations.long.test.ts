import { DecisionPage } from '@decision-ledger/contract/decision';
import { DecisionInDetail } from '@decision-ledger/contract/decision-view';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, dataOf } from '../../support/client.js';
import { openTestService, type TestService } from '../../support/service.js';
import {
  type Instrumentations,
  installInstrumentations,
  missingPrograms,
} from './support/instrumentations.js';

interface Agent {
  readonly file: string;
  readonly preset: string;
  /** Who the agent is; the service where the span of a tool does not name it. */
  readonly agent: string;
  readonly inputs: (order: string) => object;
}

const named = (order: string) => ({ order_id: order });

const AGENTS: readonly Agent[] = [
  {
    ...{ file: 'openinference_langchain.py', preset: 'openinference_1', agent: 'refund-bot' },
    // It writes the only argument of a tool without its name.
    inputs: (order) => ({ 'gen_ai.tool.call.arguments': order }),
  },
  {
    ...{ file: 'openinference_openai_agents.py', preset: 'openinference_1', agent: 'shop' },
    inputs: named,
  },
  {
    ...{ file: 'openllmetry_langchain.py', preset: 'openllmetry_1', agent: 'refund-bot' },
    inputs: named,
  },
  { file: 'pydantic_ai_agent.py', preset: 'logfire_1', agent: 'refund-bot', inputs: named },
  {
    ...{ file: 'langfuse_sdk.py', preset: 'langfuse_1', agent: 'shop' },
    inputs: (order) => ({ args: [], kwargs: { order_id: order } }),
  },
  { file: 'ai-sdk.js', preset: 'ai_sdk_1', agent: 'shop', inputs: named },
  { file: 'ai-sdk-legacy.js', preset: 'ai_sdk_1', agent: 'refund-bot', inputs: named },
  { file: 'langfuse.js', preset: 'langfuse_1', agent: 'shop', inputs: named },
  { file: 'mastra.js', preset: 'mastra_1', agent: 'shop', inputs: named },
];

const missing = missingPrograms();
const title = 'Tool calls that real instrumentations send';

describe.skipIf(missing !== null)(
  missing === null ? title : `${title} (skipped: ${missing})`,
  () => {
    let test: TestService;
    let url: string;
    let instrumentations: Instrumentations;

    beforeAll(async () => {
      instrumentations = await installInstrumentations();
      test = await openTestService('embedded');
      url = await test.http.listen({ port: 0, host: '127.0.0.1' });
      // The spans are dated by the clock of this machine.
      test.clock.advance(Date.now() - test.clock.now());
    }, 1_200_000);
    afterAll(async () => {
      instrumentations.remove();
      await test.close();
    });

    it.for(AGENTS)(
      'Its decisions are whole by the preset alone: $file',
      async ({ file, preset, agent, inputs }) => {
        const { live } = await test.organisation();
        await live.patch('/settings', { otlp: { preset: 'detect_1' } });
        await instrumentations.run(file, url, live.key);
        const common = {
          ...{ agent_id: agent, action_type: 'refund', human_in_loop: false, confidence: 0.5 },
          metadata: expect.objectContaining({ otlp_preset: preset, confidence_source: 'fixed' }),
        };
        const failed = {
          error: expect.objectContaining({ message: expect.stringContaining('closed') }),
        };
        expect(await recorded(live)).toMatchObject([
          {
            ...{ ...common, inputs: inputs('A-1'), outcome: { outcome: 'done' } },
            outputs: { approved: true, amount: '12.00' },
          },
          {
            ...{ ...common, inputs: inputs('A-2'), outcome: { outcome: 'denied' } },
            outputs: { approved: false, reason: 'above the limit' },
          },
          { ...common, inputs: inputs('A-3'), outcome: { outcome: 'failed' }, outputs: failed },
        ]);
      },
    );
  },
);

/** All decisions of a ledger, the oldest first. */
async function recorded(client: Client): Promise<DecisionInDetail[]> {
  const { decisions } = dataOf(await client.get('/decisions'), DecisionPage);
  const details: DecisionInDetail[] = [];
  for (const { decision_id } of decisions.toReversed()) {
    details.push(dataOf(await client.get(`/decisions/${decision_id}`), DecisionInDetail));
  }
  return details.toSorted((one, other) => one.timestamp.localeCompare(other.timestamp));
}
