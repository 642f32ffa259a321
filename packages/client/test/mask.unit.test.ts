import type { LedgerOptions, Mask } from '@decision-ledger/client';
import { type TestDecision, TestLedger } from '@decision-ledger/client/testing';
import { readJsonText } from '@decision-ledger/client/values';
import { describe, expect, it } from 'vitest';
import { decision } from './support/decisions.js';

const GIVEN = {
  ...decision(),
  inputs: {
    customer: { name: 'Ada', email: 'ada@example.com' },
    messages: [
      { role: 'user', content: 'my card is 4111' },
      { role: 'bot', content: 'thank you' },
    ],
    'a.b': 1,
  },
  outputs: { approved: true, note: 'for Ada' },
  alternatives: [{ approved: false, note: 'for Ada' }],
  metadata: { customer_id: 'c-7', email: 'ada@example.com' },
};

async function recordedWith(mask: Mask, options: Partial<LedgerOptions> = {}) {
  const ledger = new TestLedger({ mask, onError: () => undefined, ...options });
  ledger.record(GIVEN);
  await ledger.flush();
  const [found] = ledger.recorded;
  if (found === undefined) throw new Error('nothing was recorded');
  return { found, ledger };
}

const payload = ({ inputs, outputs, alternatives, metadata }: TestDecision) => ({
  ...{ inputs, outputs, alternatives, metadata },
});

describe('Paths', () => {
  it('What hides a member hides those that its text repeats', async () => {
    const ledger = new TestLedger({ mask: { paths: ['inputs.card'] } });
    ledger.record({ ...GIVEN, inputs: Object(readJsonText('{"card":1,"card":2,"cards":3}')) });
    await ledger.flush();
    expect(ledger.recorded[0]?.inputs).toEqual({
      ...{ card: '[masked]', 'card (2)': '[masked]', cards: 3 },
    });
  });

  it('The values at the paths are replaced, and the object of the application is not changed', async () => {
    const before = JSON.stringify(GIVEN);
    const { found } = await recordedWith({
      paths: [
        'inputs.customer.email',
        'inputs.messages.*.content',
        ['inputs', 'a.b'],
        'metadata.email',
      ],
    });
    expect(found.inputs).toEqual({
      customer: { name: 'Ada', email: '[masked]' },
      messages: [
        { role: 'user', content: '[masked]' },
        { role: 'bot', content: '[masked]' },
      ],
      'a.b': '[masked]',
    });
    expect(found.metadata).toEqual({ customer_id: 'c-7', email: '[masked]' });
    expect(JSON.stringify(GIVEN)).toBe(before);
  });

  it('A path to a whole field leaves an empty one, which the service accepts', async () => {
    const paths = ['inputs', 'outputs', 'alternatives.*', 'metadata'];
    const { found } = await recordedWith({ paths });
    expect(payload(found)).toEqual({ inputs: {}, outputs: {}, alternatives: [{}], metadata: {} });
  });

  it('What a toJSON returns is masked as well', async () => {
    const ledger = new TestLedger({ mask: { paths: ['inputs.user.email'] } });
    const user = { toJSON: () => ({ email: 'ada@example.com', id: 1 }) };
    ledger.record({ ...decision(), inputs: { user } });
    await ledger.flush();
    expect(ledger.recorded[0]?.inputs).toEqual({ user: { email: '[masked]', id: 1 } });
  });
});

it('An allow-list keeps what it names and nothing else of the payload', async () => {
  const { found } = await recordedWith({
    allow: [
      'inputs.messages.*.role',
      'outputs.approved',
      'alternatives.*.approved',
      'metadata.customer_id',
    ],
  });
  expect(payload(found)).toEqual({
    inputs: { messages: [{ role: 'user' }, { role: 'bot' }] },
    outputs: { approved: true },
    alternatives: [{ approved: false }],
    metadata: { customer_id: 'c-7' },
  });
  expect(found).toMatchObject({ agent_id: 'refund-bot', confidence: 0.9 });
});

describe('Functions', () => {
  it('A function gets a copy and returns what is recorded', async () => {
    const before = JSON.stringify(GIVEN);
    const { found } = await recordedWith((copy) => {
      Reflect.deleteProperty(copy, 'alternatives');
      return { ...copy, inputs: { masked: true }, agent_id: 'anonymous' };
    });
    expect(found).toMatchObject({ inputs: { masked: true }, agent_id: 'anonymous' });
    expect(found).not.toHaveProperty('alternatives');
    expect(JSON.stringify(GIVEN)).toBe(before);
  });

  it.for<[string, Mask]>([
    [
      'throws',
      () => {
        throw new Error('contains ada@example.com');
      },
    ],
    ['returns nothing', () => undefined],
    ['returns a text', () => 'text'],
    ['returns an array', () => []],
    ['is async', async (copy) => copy],
  ])('A function that %s costs the payload, not the decision', async ([, mask]) => {
    const kinds: string[] = [];
    const { found, ledger } = await recordedWith(mask, {
      onError: ({ kind }) => kinds.push(kind),
    });
    expect(payload(found)).toEqual({
      ...{ inputs: {}, outputs: {}, alternatives: undefined },
      metadata: { ledger_payload_dropped: 'mask_failed' },
    });
    expect(found).toMatchObject({ agent_id: 'refund-bot', action_type: 'refund', confidence: 0.9 });
    expect(kinds).toEqual(['payload_dropped']);
    expect(ledger.stats().payloadsDropped).toBe(1);
  });
});

it('The mask also applies to recordNow', async () => {
  const ledger = new TestLedger({ mask: { allow: [] } });
  await ledger.recordNow(GIVEN);
  expect(ledger.recorded[0]).toMatchObject({ inputs: {}, outputs: {} });
  expect(ledger.recorded[0]).not.toHaveProperty('metadata');
});
