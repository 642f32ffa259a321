import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectorError, parseExactJson } from '#server/domains/sources/accounting/connectors/call';
import { toAmount, toCurrency } from '#server/domains/sources/accounting/connectors/take-event';
import {
  accountKind,
  isGenerated,
  isWanted,
  ownTags,
  tagMetadata,
} from '#server/domains/sources/accounting/rules/hledger';

describe('Exact JSON', () => {
  const numbers = fc
    .tuple(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.option(fc.stringMatching(/^\d{1,30}$/)),
      fc.constantFrom('', 'e5', 'E-3', 'e+10'),
    )
    .map(([whole, part, exponent]) => `${whole}${part === null ? '' : `.${part}`}${exponent}`);

  it('Every number keeps its characters', () => {
    fc.assert(
      fc.property(numbers, fc.jsonValue(), (number, value) => {
        const other = JSON.stringify(JSON.stringify(value));
        const text = `{"a" : [${number}, ${other}] , "b":{"c":${number}}}`;
        expect(parseExactJson(text, 'x')).toEqual({
          a: [number, JSON.stringify(value)],
          b: { c: number },
        });
      }),
    );
  });

  it('Everything but numbers is left unchanged', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.boolean(), fc.constant(null), fc.constant('a"1\\2'))),
        (value) => {
          expect(parseExactJson(JSON.stringify(value), 'x')).toEqual(value);
        },
      ),
    );
  });

  it.for([
    '',
    '[1',
    '{"a":1',
    '{"a":1,}',
    '{1:2}',
    '{12 :2}',
    '[01]',
    '[1.]',
    '[.5]',
    '[-]',
    '[--1]',
    '[+1]',
    '[1e]',
    '[1 2]',
    '[1"a"]',
    '["a 1]',
    '[NaN]',
  ])('The text "%s" is refused as malformed, with a temporary error', (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(() => parseExactJson(text, 'x')).toThrow(ConnectorError);
    expect(() => parseExactJson(text, 'x')).toThrow(expect.objectContaining({ isTemporary: true }));
  });

  it('Texts of any size and shape are read in bounded time and stack', () => {
    const long = 'a1"\\'.repeat(500_000);
    expect(parseExactJson(JSON.stringify([long]), 'x')).toEqual([long]);
    expect(parseExactJson(`[${'1,'.repeat(200_000)}2]`, 'x')).toHaveLength(200_001);
    for (const broken of [
      `"${'\\'.repeat(400_000)}${'1'.repeat(400_000)}`,
      `["${'1"'.repeat(300_001)}`,
      `{${'1'.repeat(400_000)}:`,
      `${'1 '.repeat(300_000)}:`,
    ]) {
      expect(() => parseExactJson(broken, 'x')).toThrow(ConnectorError);
    }
  });

  it.for(['{"a":1,"a":2}', '{"__proto__":1}', '"\\ud800"', '"\\u0000"'])(
    'The text "%s" is refused as unfaithful',
    (text) => {
      expect(() => parseExactJson(text, 'x')).toThrow(
        expect.objectContaining({ name: 'ConnectorError', isTemporary: false }),
      );
    },
  );
});

describe('Amounts', () => {
  it('An amount is the exact decimal of mantissa and places, with the requested sign', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.nat(12),
        fc.constantFrom<1 | -1>(1, -1),
        (mantissa, places, sign) => {
          const amount = toAmount(`${mantissa}e-${places}`, sign);
          if (amount === null) {
            const whole = (mantissa < 0n ? -mantissa : mantissa) / 10n ** BigInt(places);
            expect(whole >= 10n ** 20n).toBe(true);
            return;
          }
          const [whole = '', part = ''] = amount.replace('-', '').split('.');
          const value =
            BigInt(whole + part.padEnd(places, '0')) * (amount.startsWith('-') ? -1n : 1n);
          expect(value).toBe(mantissa * BigInt(sign));
          expect(amount).toMatch(/^-?(0|[1-9]\d{0,19})(\.\d{0,11}[1-9])?$/);
          expect(amount).not.toBe('-0');
        },
      ),
    );
  });

  it.for([
    ['1200.50', 1, '1200.5'],
    ['0.00', -1, '0'],
    ['-0', 1, '0'],
    ['99999999999999999999.123456789012', -1, '-99999999999999999999.123456789012'],
    ['1e2', 1, '100'],
  ] as const)('The amount %s times %i is %s', ([text, sign, amount]) => {
    expect(toAmount(text, sign)).toBe(amount);
  });

  it.for(['', 'x', '100000000000000000000', '0.0000000000001', '1e999', '1e99999', ' 1', '1,5'])(
    'No amount is made of "%s"',
    (text) => expect(toAmount(text, 1)).toBeNull(),
  );
});

describe('Currencies', () => {
  it('A mapping comes before signs and codes, and leads to codes only', () => {
    const own = { kr: 'SEK', $: 'AUD', shells: 'XYZ' };
    expect(['kr', '$', '€', 'shells', 'toString'].map((one) => toCurrency(one, own))).toEqual([
      ...['SEK', 'AUD', 'EUR', null, null],
    ]);
  });

  it.for([
    ['$', 'USD'],
    ['€', 'EUR'],
    ['£', 'GBP'],
    ['CHF', 'CHF'],
    ['HRK', 'HRK'],
    ['VED', 'VED'],
  ] as const)('The currency of %s is %s', ([text, code]) => expect(toCurrency(text)).toBe(code));

  it.for(['', 'ABC', 'usd', 'AAPL', '¥', 'XDR', 'XAU', 'toString', '__proto__'])(
    'No currency is made of "%s"',
    (text) => expect(toCurrency(text)).toBeNull(),
  );
});

describe('Accounts of hledger', () => {
  const kindOf = (account: string, tags: [string, string][] = [], comment = '') =>
    accountKind(account, tags, comment);
  const wants = (account: string, accounts?: string[]) =>
    isWanted(account, kindOf(account), accounts);

  it.for([
    ['revenues:saas', 'revenue', -1],
    ['Income', 'revenue', -1],
    ['expenses:rent:office', 'expense', -1],
    ['equity:owner', 'equity', -1],
    ['assets:bank', 'asset', 1],
    ['liabilities:card', 'liability', 1],
    ['revenuesX:y', 'revenuesX', -1],
  ] as const)(
    'The account %s gives the event type %s with sign %i',
    ([account, eventType, sign]) => {
      expect(kindOf(account)).toEqual({ eventType, sign });
    },
  );

  it.for([
    ['R', 'revenue'],
    ['revenue', 'revenue'],
    ['X', 'expense'],
    ['Expense', 'expense'],
    ['A', 'asset'],
    ['Cash', 'asset'],
    ['c', 'asset'],
    ['L', 'liability'],
    ['E', 'equity'],
    ['V', 'equity'],
  ] as const)('An account of the declared type %s is %s', ([type, eventType]) => {
    expect(kindOf('assets:x', [['type', type]]).eventType).toBe(eventType);
    expect(kindOf('Einnahmen', [['type', type]]).eventType).toBe(eventType);
  });

  it('The nearest declaration counts, and a tag of the posting itself does not', () => {
    const tags: [string, string][] = [
      ...[['type', 'sale'] as [string, string], ['type', 'X'] as [string, string]],
      ['type', 'R'],
    ];
    expect(kindOf('Kosten:Strom', tags).eventType).toBe('expense');
    expect(kindOf('Bank', [['type', 'X']], 'type: X').eventType).toBe('Bank');
    expect(kindOf('revenues', [['type', 'new in hledger']]).eventType).toBe('revenue');
  });

  it('Revenue and expense accounts are read by default', () => {
    expect(wants('Revenues:a')).toBe(true);
    expect(wants('expenses')).toBe(true);
    expect(wants('assets:expenses')).toBe(false);
    expect(isWanted('Erlöse', kindOf('Erlöse', [['type', 'R']]), undefined)).toBe(true);
  });

  it('A requested account includes its subaccounts and no account with a longer name', () => {
    expect(wants('assets:bank', ['assets:bank'])).toBe(true);
    expect(wants('assets:bank:giro', ['assets:bank'])).toBe(true);
    expect(wants('assets:bankrupt', ['assets:bank'])).toBe(false);
  });

  it('What hledger generated has a tag that no comment has', () => {
    expect(isGenerated([['_generated-posting', '= a']])).toBe(true);
    expect(isGenerated([['generated-transaction', '~ monthly']])).toBe(false);
  });
});

describe('Tags of a posting', () => {
  it("A posting's own tags are those in its comment", () => {
    const tags = [
      ['plan', 'gold'],
      ['x', ''],
      ['type', 'R'],
    ] as const;
    expect(ownTags(tags, 'plan:  gold , x:\nsee more\n')).toEqual([
      ['plan', 'gold'],
      ['x', ''],
    ]);
  });

  it('A repeated tag becomes a list', () => {
    const tags = [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['a', '1'],
    ] as const;
    expect(tagMetadata(tags)).toEqual({ a: ['1', '3'], b: '2' });
  });
});
