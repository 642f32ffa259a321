import type { JsonValue } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';
import { comparePair, explainPair } from '#attribution/explanation';
import type { Payload } from '#attribution/extraction';
import { findField } from '#attribution/find-field';
import { cpuMs } from '../../proof/test/support/cpu-time.js';

const PAID = Date.UTC(2026, 2, 9, 14, 3);
const MINUTE = 60_000;

interface Case {
  readonly metadata?: JsonValue;
  readonly externalId?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly at?: number;
  readonly decision: Payload;
  readonly decided?: number;
  readonly holders?: number;
  readonly isLinked?: boolean;
}

function explain(its: Case) {
  const pair = comparePair({
    event: {
      ledgerId: 'ledger',
      eventType: 'payment',
      amount: its.amount ?? '104.11',
      currency: its.currency ?? 'USD',
      externalId: its.externalId ?? null,
      metadata: its.metadata ?? null,
      timestamp: its.at ?? PAID,
      rates: new Map([['EUR', 1.1]]),
    },
    decision: { payload: its.decision, timestamp: its.decided ?? PAID - 61 * MINUTE },
  });
  const holders = new Map(pair.shared.map(({ token }) => [token, its.holders ?? 1]));
  return explainPair(pair, { holders, isLinked: its.isLinked ?? false });
}

const sentenceOf = (its: Case): string => explain(its).sentence;

describe('The sentence of an explanation', () => {
  it('It names what appears in both, with the values, and the delay', () => {
    expect(
      sentenceOf({
        metadata: { order_id: 'SO-7003' },
        decision: { inputs: { order: 'SO-7003' }, outputs: { total: '104.11', currency: 'USD' } },
      }),
    ).toBe('Order SO-7003 and 104.11 USD appear in both; 61 minutes later.');
  });

  it('It says how the decision spells a value, and that many decisions state it', () => {
    expect(
      sentenceOf({
        metadata: { salesOrderNo: 'ORD-00991234' },
        decision: { outputs: { ref: 'ord 991234', price: 104.11 } },
        holders: 40,
      }),
    ).toBe(
      'Sales order ORD-00991234 (written ord 991234 by the decision, which about 40 decisions state) ' +
        'and 104.11 USD appear in both; 61 minutes later.',
    );
  });

  it.each([
    ['no amount', {}, 'the decision states no amount'],
    ['another amount', { total: 200 }, 'the decision states 200.00 USD, not 104.11 USD'],
    [
      'a converted one',
      { total: '94.65', currency: 'EUR' },
      '104.11 USD is an amount of the decision, converted',
    ],
    [
      'parts of it',
      { price: '100.00', fee: '4.11' },
      '104.11 USD is a sum, a difference or a stated rate of amounts of the decision',
    ],
    [
      'twice as much',
      { total: '208.22' },
      '104.11 USD is a usual part of an amount of the decision',
    ],
  ])('It says how amounts fit: %s', (_, outputs, text) => {
    expect(
      sentenceOf({
        externalId: 'pi_3Nabcdef12',
        decision: { outputs, metadata: { payment: 'pi_3Nabcdef12' } },
      }),
    ).toBe(`Reference pi_3Nabcdef12 appears in both; ${text}; 61 minutes later.`);
  });

  it('It does not hide that nothing identifies the transaction', () => {
    expect(sentenceOf({ decision: { outputs: { total: 104.11 } } })).toBe(
      '104.11 USD appears in both, but no identifier does; 61 minutes later.',
    );
    expect(sentenceOf({ decision: { outputs: { done: true } }, isLinked: true })).toBe(
      'No identifier appears in both; another decision of the same case names the transaction; ' +
        'the decision states no amount; 61 minutes later.',
    );
  });

  it.each([
    ['minutes', PAID - 119 * MINUTE, '119 minutes later'],
    ['hours', PAID - 47 * 60 * MINUTE, '47 hours later'],
    ['days', PAID - 30 * 24 * 60 * MINUTE, '30 days later'],
    ['a moment', PAID - 1000, 'less than two minutes later'],
    ['no time', PAID, 'at the same time'],
    ['a decision after the money', PAID + 3 * 60 * MINUTE, '3 hours earlier'],
  ])('It states the delay in a unit that fits: %s', (_, decided, text) => {
    expect(sentenceOf({ decision: {}, decided })).toMatch(new RegExp(`; ${text}\\.$`));
  });

  it('It knows that an event at midnight states a day alone', () => {
    const at = Date.UTC(2026, 2, 9);
    expect(sentenceOf({ decision: {}, at, decided: at + 9 * 60 * MINUTE })).toMatch(
      /on the same day\.$/,
    );
  });

  it('It keeps every digit of an amount, and pads those that the currency has', () => {
    expect(
      sentenceOf({ decision: { outputs: { total: 7 } }, amount: '5000', currency: 'JPY' }),
    ).toContain('not 5000 JPY');
    expect(
      sentenceOf({ decision: { outputs: { total: 7 } }, amount: '-12345678901234567890.5' }),
    ).toContain('not 12345678901234567890.50 USD');
  });

  it('It shows a currency that does not exist as it is written', () => {
    const outputs = { total: '9.5', currency: 'QQQ' };
    expect(sentenceOf({ decision: { outputs } })).toContain('the decision states 9.5 QQQ');
  });
});

describe('The identifiers of an explanation', () => {
  it('They stand with their fields, the rarest first, at most five', () => {
    const ids = Object.fromEntries(
      Array.from({ length: 9 }, (_, at) => [`ref_${at}`, `AB-${7_000_000 + at}`]),
    );
    const { shared, amount } = explain({
      metadata: { lines: [{ ids }] },
      decision: { inputs: { order: { ids } } },
    });
    expect(shared).toHaveLength(5);
    expect(shared[0]).toMatchObject({
      event_field: 'metadata.lines.0.ids.ref_0',
      decision_field: 'inputs.order.ids.ref_0',
      event_value: 'AB-7000000',
    });
    expect(amount).toBe('none');
  });

  it('Those of a transaction stand before that of a person', () => {
    const ids = { customer_id: 'C-514', order_id: 'A-2019' };
    const { shared } = explain({ metadata: ids, decision: { metadata: ids } });
    expect(shared.map(({ event_value }) => event_value)).toEqual(['A-2019', 'C-514']);
  });

  it('A text that contains a value is its field; a text that holds JSON is one as well', () => {
    const payload = {
      inputs: { message: 'Please refund SO-7003.', call: '{"order":"SO-9000"}' },
    };
    expect(findField(payload, 'SO-7003')).toBe('inputs.message');
    expect(findField(payload, 'SO-9000')).toBe('inputs.call');
    expect(findField(payload, 'SO-1')).toBeNull();
  });

  it('A payload of a million members is read in bounded time', async () => {
    const payload = { inputs: { all: Array.from({ length: 1_000_000 }, (_, at) => at) } };
    const spent = await cpuMs(() => expect(findField(payload, 'missing')).toBeNull());
    expect(spent).toBeLessThan(1000);
  });
});
