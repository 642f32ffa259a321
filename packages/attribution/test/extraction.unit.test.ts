import { isReadOnly } from '@decision-ledger/attribution/actions';
import { extractFeatures } from '@decision-ledger/attribution/extraction';
import {
  countedTokens,
  hashFeatures,
  idTokens,
  lookupTokens,
} from '@decision-ledger/attribution/hashed-features';
import { canonicalOf, digitCoreOf } from '@decision-ledger/attribution/identifiers';
import { keyOf } from '@decision-ledger/attribution/keys';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { describe, expect, it } from 'vitest';
import { cpuMs } from '../../proof/test/support/cpu-time.js';

const idsOf = (metadata: JsonValue, form: 'key' | 'text' = 'key'): string[] =>
  extractFeatures({ metadata })
    .mentions.filter((mention) => mention.form === form)
    .map(({ canonical }) => canonical);

describe('Identifiers', () => {
  it.for([
    ['ORD-00123', 'ord123'],
    ['ord 123', 'ord123'],
    ['W-1234-567', 'w1234567'],
    ['ＯＲＤ１２３', 'ord123'],
    ['#W1234567', 'w1234567'],
    ['0000482913', '482913'],
    ['0', '0'],
  ])('%j is canonically %j', ([text = '', expected]) => {
    expect(canonicalOf(text)).toBe(expected);
  });

  it.for([
    ['ord482913', '482913'],
    ['a12b1234567c', '1234567'],
    ['ord12345', ''],
  ])('The digits of %j are %j', ([text = '', expected]) => {
    expect(digitCoreOf(text)).toBe(expected);
  });

  it('Are found at any depth, in alternatives and in JSON within a text', () => {
    const { mentions } = extractFeatures({
      inputs: { arguments: '{"order_id": "W77001"}', a: [{ b: { booking: 'QX7-1' } }] },
      alternatives: [{ invoice_no: 'RE77' }],
    });
    const found = mentions.map(({ canonical, key }) => [canonical, key.name]);
    expect(found).toEqual(
      expect.arrayContaining([
        ['w77001', 'orderid'],
        ['qx71', 'booking'],
        ['re77', 'invoiceno'],
      ]),
    );
  });

  it('Are found in texts and addresses, and say how many share their text', () => {
    const note = 'Orders W123456 and W777888 on 2026-01-02 for 19.90; see you';
    const { mentions } = extractFeatures({ inputs: { note } });
    const text = mentions.filter(({ form }) => form === 'text');
    expect(text.map(({ canonical, among }) => [canonical, among])).toEqual([
      ['w123456', 2],
      ['w777888', 2],
    ]);
    expect(idsOf({ url: 'https://x.example/orders/w123456?a=b' }, 'text')).toContain('w123456');
  });

  it.for([
    ['注文 ＯＲＤ－４８２１３ です', 'ord48213'],
    ['Refund for ORD\u201148213.', 'ord48213'],
    ['https://x.example/?order=ORD%2D48213&at=%ZZ', 'ord48213'],
    ['https://x.example/?order=100%25%20ORD-48213', 'ord48213'],
    ['%FF ORD-48213', 'ord48213'],
  ])('Are read from %j as from plain text', ([text = '', expected]) => {
    expect(idsOf({ text }, 'text')).toContain(expected);
  });

  it.for<JsonValue>(['2026-01-02', '19.90', true, '2026-01-02T10:00:00Z', 7])(
    '%j is no identifier',
    (plain) => {
      expect(idsOf({ day: plain })).toEqual([]);
    },
  );
});

describe('Amounts', () => {
  it.for<[JsonValue, number, string | null]>([
    [{ amount: 49.9 }, 49.9, null],
    [{ amount: '49.90', currency: 'eur' }, 49.9, 'EUR'],
    [{ total: { value: '1,990.00 USD' } }, 1990, 'USD'],
    [{ betrag: '1.990,00 €' }, 1990, 'EUR'],
    [{ refund: -20 }, 20, null],
  ])('%j states %d in %s', ([outputs, expected, currency]) => {
    const { amounts } = extractFeatures({ outputs });
    expect(amounts.map((amount) => [amount.value, amount.currency])).toEqual([
      [expected, currency],
    ]);
  });

  it.for<[string, [number, string | null][]]>([
    ['Paid out 12.34 EUR as agreed.', [[12.34, 'EUR']]],
    ['Paid out 12.34 as agreed', [[12.34, null]]],
    [
      'Paid out EUR 1,712.34 (VAT 340.10).',
      [
        [1712.34, 'EUR'],
        [340.1, null],
      ],
    ],
    [
      "Erstattet 1.713,34 € und CHF 1'250.50",
      [
        [1713.34, 'EUR'],
        [1250.5, 'CHF'],
      ],
    ],
    ['Erstattet 614,34 €', [[614.34, 'EUR']]],
    ['Refunded $515.34 to the card', [[515.34, null]]],
    ['Positions 12,34 of 12.03.2026, version 1.2.34, ORD-12.34, host 10.20.30.40', []],
  ])('In %j are read where they have two decimals and one reading', ([text, expected]) => {
    const { amounts } = extractFeatures({ outputs: { text } });
    expect(amounts.map(({ value, currency }) => [value, currency])).toEqual(expected);
  });

  it('Say whether their key counts minor units', () => {
    const { amounts } = extractFeatures({ outputs: { amount_cents: 1990, amount: 1990 } });
    expect(amounts.map(({ unit }) => unit)).toEqual(['minor', 'unknown']);
  });
});

describe('Names of actions', () => {
  it.for([
    ['get_order', true],
    ['listOrders', true],
    ['LookUp', true],
    ['refund_order', false],
    ['getting_paid', false],
    ['K7', false],
  ] as const)('The name %s only reads: %s', ([name, expected]) => {
    expect(isReadOnly(name)).toBe(expected);
  });
});

describe('Hashed features', () => {
  it('Share no token between ledgers', () => {
    const features = extractFeatures({ metadata: { order_id: 'ORD-1' } });
    const [one, other] = ['a', 'b'].map((ledger) => countedTokens(hashFeatures(ledger, features)));
    expect(one).not.toEqual(other);
  });

  it('Look words up within the window alone', () => {
    const features = hashFeatures(
      'a',
      extractFeatures({ metadata: { order_id: 'ORD-1', city: 'Berlin' } }),
    );
    expect(lookupTokens(features)).toHaveLength(2);
    expect(idTokens(features)).toHaveLength(1);
  });
});

describe('Hostile payloads', () => {
  const deep = (depth: number): JsonValue => {
    let value: JsonValue = 'ORD-1';
    for (let level = 0; level < depth; level++) value = { a: value };
    return value;
  };
  const cases: readonly (readonly [string, JsonValue])[] = [
    ['a text of two million characters', 'a1-'.repeat(700_000)],
    ['a text of digits', '1'.repeat(2_000_000)],
    ['deep nesting', deep(5000)],
    ['a list of many identifiers', Array.from({ length: 200_000 }, (_, at) => `ORD-${at}`)],
    ['many texts', Array.from({ length: 20_000 }, () => 'word 1234 '.repeat(50))],
    ['brackets in a text', '['.repeat(9000)],
    ['a text of grouped figures', "1'234".repeat(100_000)],
    ['percent signs', '%E2%82'.repeat(300_000)],
    ['ligatures', '\ufdfa '.repeat(300_000)],
    ['letters that repeat', `${'aA'.repeat(500_000)}!`],
    ['zeros', { order_id: '0'.repeat(99) }],
  ];

  it.for(cases)('%s take little time', async ([, value]) => {
    const extract = () => extractFeatures({ metadata: value, inputs: value, outputs: value });
    expect(await cpuMs(() => hashFeatures('a', extract()))).toBeLessThan(5000);
    const features = extract();
    expect(features.mentions.length).toBeLessThanOrEqual(96 + 64 + 64);
    expect(features.amounts.length).toBeLessThanOrEqual(48);
  });

  it('Keys of any length are normalised', () => {
    expect(keyOf('Customer-ID ').name).toBe('customerid');
    const { mentions } = extractFeatures({
      metadata: { [`order${'_'.repeat(100_000)}`]: 'ORD-1' },
    });
    expect(mentions).toHaveLength(1);
  });
});
