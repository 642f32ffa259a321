import { MockLanguageModelV4 } from 'ai/test';

/** Calls the tool in its first turn, and then answers with a text. */
export function scripted(order) {
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  };
  const input = JSON.stringify({ order_id: order });
  const call = { type: 'tool-call', toolCallId: `call-${order}`, toolName: 'refund', input };
  const turns = [
    { content: [call], finishReason: { unified: 'tool-calls', raw: 'tool' } },
    { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: 'stop' } },
  ];
  return new MockLanguageModelV4({
    doGenerate: async () => ({ ...turns.shift(), usage, warnings: [] }),
  });
}
