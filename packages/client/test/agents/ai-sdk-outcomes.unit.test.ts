import { ledgerTelemetry } from '@decision-ledger/client/ai-sdk';
import { fixed } from '@decision-ledger/client/confidence';
import { TestLedger } from '@decision-ledger/client/testing';
import { generateText, isStepCount, type ModelMessage, type Telemetry, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { casesOf, formOf, type Report } from '../../../contract/test/support/outcome-cases.js';
import { AI_SDK } from './support/ai-sdk-node.js';

const describeSdk = AI_SDK.isTooOld ? describe.skip : describe;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const CALL = {
  ...{ type: 'tool-call' as const, toolCallId: 'c-1', toolName: 'refund' },
  input: JSON.stringify({ order: 'A-1' }),
};
const SAID = { type: 'text' as const, text: 'done' };

type Approval = { readonly refund: 'user-approval' };

/** Runs a model that calls the tool, or says that it is done. */
function run(
  telemetry: Telemetry,
  { returned, raised }: Report,
  content: typeof CALL | typeof SAID,
  more: { readonly messages: ModelMessage[]; readonly toolApproval?: Approval },
) {
  const turns = content === CALL ? [CALL, SAID] : [SAID];
  const refund = tool({
    inputSchema: z.object({ order: z.string() }),
    execute: (): unknown => {
      if (raised !== undefined) throw new RangeError(raised);
      return returned;
    },
  });
  const model = new MockLanguageModelV4({
    doGenerate: turns.map((part) => ({
      content: [part],
      finishReason: {
        unified: part.type === 'text' ? ('stop' as const) : ('tool-calls' as const),
        raw: undefined,
      },
      usage: USAGE,
      warnings: [],
    })),
  });
  const settings = { model, tools: { refund }, stopWhen: isStepCount(3) };
  return generateText({ ...settings, ...more, telemetry: { integrations: telemetry } });
}

async function report(telemetry: Telemetry, told: Report): Promise<void> {
  const messages: ModelMessage[] = [{ role: 'user', content: 'go' }];
  if (told.rejected === undefined) {
    await run(telemetry, told, CALL, { messages });
    return;
  }
  const toolApproval = { refund: 'user-approval' } as const;
  const first = await run(telemetry, told, CALL, { messages, toolApproval });
  const request = first.content.find(({ type }) => type === 'tool-approval-request');
  if (request?.type !== 'tool-approval-request') throw new Error('no request for approval');
  const answer = {
    ...{ type: 'tool-approval-response' as const, approvalId: request.approvalId },
    ...{ approved: false, reason: told.rejected },
  };
  const next: ModelMessage[] = [
    ...messages,
    ...first.responseMessages,
    { role: 'tool', content: [answer] },
  ];
  await run(telemetry, told, SAID, { messages: next, toolApproval });
}

describeSdk(`The Vercel AI SDK records as the cases say${AI_SDK.note}`, () => {
  it.for(casesOf('ai-sdk').map((one) => [one.name, one] as const))(
    'The decision is as the case says: %s',
    async ([_name, one]) => {
      const ledger = new TestLedger();
      await report(ledgerTelemetry({ ledger, agent: 'desk', confidence: fixed(0.8) }), one.report);
      await ledger.flush();
      const { outputs, stated } = one;
      expect(ledger.recorded.map(formOf)).toEqual([{ outputs, stated }]);
    },
  );
});
