import { type Confidence, fixed, stated } from '@decision-ledger/client/confidence';
import { LedgerHandler } from '@decision-ledger/client/langchain';
import { AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { openTestService, type TestService } from '../../../server/test/support/service.js';
import { openClient } from '../support/open-client.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

const refund = tool(({ amount }) => ({ refunded: amount, currency: 'USD' }), {
  name: 'refund',
  schema: z.object({ amount: z.string(), sure: z.number() }),
});

/** The exposure of a refund of an agent in a new ledger, and the decision. */
async function refundOf(sure: number, confidence: Confidence) {
  const { live } = await bed.organisation();
  const ledger = openClient(bed, { key: live.key });
  const handler = new LedgerHandler({ ledger, agent: 'refund-agent', confidence });
  const args = { amount: '900.00', sure };
  const model = fakeModel()
    .respondWithTools([{ name: 'refund', args, id: 'c-1' }])
    .respond(new AIMessage('done'));
  await createAgent({ model, tools: [refund] }).invoke(
    { messages: [{ role: 'user', content: 'go' }] },
    { callbacks: [handler] },
  );
  expect(await ledger.close()).toEqual({ accepted: 1, pending: 0, failed: 0 });
  expect(await ledger.verification.decisions()).toMatchObject({
    is_valid: true,
    records_checked: 1,
  });
  const [found] = await ledger.decisions.list().toArray();
  const { confidence: stored, liability } = await ledger.decisions.get(found?.decision_id ?? '');
  return { stored, exposure: Number(liability?.expected) };
}

it('A fixed confidence is stored as it is, and is neutral in the exposure', async () => {
  const [low, high, sure, unsure] = await Promise.all([
    refundOf(0.9, fixed(0.05)),
    refundOf(0.9, fixed(0.99)),
    refundOf(0.99, stated('inputs.sure')),
    refundOf(0.05, stated('inputs.sure')),
  ]);
  expect([low.stored, high.stored]).toEqual([0.05, 0.99]);
  expect(low.exposure).toBe(high.exposure);
  expect(sure.exposure).toBeLessThan(low.exposure);
  expect(unsure.exposure).toBeGreaterThan(low.exposure);
});
