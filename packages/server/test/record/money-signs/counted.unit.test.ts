import { DEFAULT_ATTRIBUTION } from '@decision-ledger/contract/attribution';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type StatedReport, transactionIn, untaxedAmount } from '@decision-ledger/proof/movement';
import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  areOpposite,
  countReport,
  type Directed,
  taxSaid,
} from '#server/domains/record/money-signs/index';

const REVENUE = { link_type: 'revenue', reversal: false } as const;
const SAVING = { link_type: 'saving', reversal: false } as const;
const COST = { link_type: 'cost', reversal: false } as const;
const LOSS = { link_type: 'loss', reversal: false } as const;
const COST_BACK = { link_type: 'cost', reversal: true } as const;
const LOSS_BACK = { link_type: 'loss', reversal: true } as const;

const SETTINGS = { ...DEFAULT_ATTRIBUTION, unsigned_sources: ['adyen'] };

const UNKNOWN = { untaxed: null, isKnown: false };

const CASES: readonly [
  what: string,
  source: string,
  eventType: string,
  human: readonly Directed[],
  ofPositive: string,
  ofNegative: string,
][] = [
  ['no link, signed source', 'till', 'refund', [], '30.10', '-30.10'],
  ['no link, unsigned source', 'adyen', 'refund', [], '-30.10', '-30.10'],
  ['no link, unsigned source, unknown type', 'adyen', 'thing', [], '0', '0'],
  ['revenue, unsigned source, unknown type', 'adyen', 'thing', [REVENUE], '30.10', '-30.10'],
  ['a refund, unsigned source, unknown type', 'adyen', 'thing', [COST], '-30.10', '-30.10'],
  ['no link, signed source, unknown type', 'till', 'thing', [], '30.10', '-30.10'],
  ['revenue', 'till', 'refund', [REVENUE], '30.10', '-30.10'],
  ['revenue, unsigned source', 'adyen', 'refund', [REVENUE], '30.10', '-30.10'],
  ['a saving', 'till', 'payment', [SAVING], '30.10', '-30.10'],
  ['a cost', 'till', 'payment', [COST], '-30.10', '-30.10'],
  ['a loss, unsigned source', 'adyen', 'payment', [LOSS], '-30.10', '-30.10'],
  ['a cost taken back', 'till', 'payment', [COST_BACK], '30.10', '30.10'],
  ['a cost and a loss', 'till', 'payment', [COST, LOSS], '-30.10', '-30.10'],
  ['a cost and a loss taken back', 'till', 'x', [COST_BACK, LOSS_BACK], '30.10', '30.10'],
  ['opposite ones', 'till', 'payment', [REVENUE, COST], '30.10', '-30.10'],
  ['opposite ones, unsigned source', 'adyen', 'refund', [COST, COST_BACK], '30.10', '-30.10'],
  ['revenue and a loss taken back', 'till', 'x', [REVENUE, LOSS_BACK], '30.10', '-30.10'],
];

it.for(CASES)(
  'An event has one sign: %s',
  ([, source, event_type, human, ofPositive, ofNegative]) => {
    const count = (amount: string) => {
      const report = { source, event_type, amount, metadata: null };
      return countReport(SETTINGS, report, { human, isWitness: false, tax: UNKNOWN })
        .counted_amount;
    };
    expect(count('30.10')).toBe(ofPositive);
    expect(count('-30.10')).toBe(ofNegative);
    expect(count('0.00')).toBe('0.00');
  },
);

it('Two links are opposite if one brings the money in and the other takes it out', () => {
  const pairs: readonly [Directed, Directed, ofPositive: boolean, ofNegative: boolean][] = [
    [REVENUE, SAVING, false, false],
    [COST, LOSS, false, false],
    [COST_BACK, LOSS_BACK, false, false],
    [REVENUE, COST, true, true],
    [SAVING, LOSS, true, true],
    [COST, COST_BACK, true, true],
    [LOSS, COST_BACK, true, true],
    [REVENUE, LOSS_BACK, false, true],
  ];
  for (const [one, other, ofPositive, ofNegative] of pairs) {
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      expect([a, b, areOpposite(a, b, '5'), areOpposite(a, b, '-5')]).toEqual([
        a,
        b,
        ofPositive,
        ofNegative,
      ]);
    }
  }
});

const UNCOUNTED: readonly [
  what: string,
  eventType: string,
  human: readonly Directed[],
  isWitness: boolean,
  standing: string,
  counted: string,
  uncounted: string,
][] = [
  ['a sale', 'CAPTURE', [], false, 'counted', '30.10', '0'],
  ['a refund', 'REFUND', [], false, 'counted', '-30.10', '0'],
  ['a type that only its profile knows', 'InvoiceDeduction', [], false, 'counted', '-30.10', '0'],
  ['a witness', 'REFUND', [], true, 'counted_once', '0', '-30.10'],
  ['a witness of a payout', 'MerchantPayout', [], true, 'counted_once', '0', '-30.10'],
  ['an authorisation', 'AUTHORISATION', [], false, 'authorised', '0', '30.10'],
  ['a linked authorisation', 'AUTHORISATION', [REVENUE], false, 'authorised', '0', '30.10'],
  ['a notice', 'NOTIFICATION_OF_CHARGEBACK', [], false, 'planned', '0', '-30.10'],
  ['a cancellation', 'CANCELLATION', [], false, 'void', '0', '30.10'],
  ['a payout', 'MerchantPayout', [], false, 'between_own_accounts', '0', '-30.10'],
  ['a linked payout', 'MerchantPayout', [COST], false, 'between_own_accounts', '0', '-30.10'],
  ['a transfer', 'Balancetransfer', [], false, 'between_own_accounts', '0', '30.10'],
  ['an unknown type', 'thing', [], false, 'unclassified', '0', '30.10'],
  ['an unknown type with a link', 'thing', [COST], false, 'counted', '-30.10', '0'],
];

it.for(UNCOUNTED)(
  'Only money that moved counts, and the rest stands in a line of its own: %s',
  ([, event_type, human, isWitness, standing, counted_amount, uncounted_amount]) => {
    const report = { source: 'adyen', event_type, amount: '30.10', metadata: null };
    const counting = countReport(SETTINGS, report, { human, isWitness, tax: UNKNOWN });
    expect(counting).toMatchObject({ standing, counted_amount, uncounted_amount });
  },
);

const BOOKED = { source: 'books', event_type: 'sale', amount: '30.10', metadata: null };
const PAID_OUT = { ...BOOKED, source: 'stripe', event_type: 'payout' };

it.for([
  ['an authorisation that another report saw move', 'AUTHORISATION', [BOOKED], 'counted', '30.10'],
  ['a cancellation', 'CANCELLATION', [BOOKED], 'void', '0'],
  ['a payout', 'MerchantPayout', [BOOKED], 'between_own_accounts', '0'],
  [
    ...(['a type whose direction another report states', 'thing'] as const),
    ...([[{ ...BOOKED, amount: '-30.10' }], 'counted', '-30.10'] as const),
  ],
  [
    ...(['a type whose direction others dispute', 'thing'] as const),
    ...([[BOOKED, { ...BOOKED, amount: '-30.10' }], 'unclassified', '0'] as const),
  ],
  [
    ...(['an authorisation beside another one', 'AUTHORISATION'] as const),
    ...([
      [{ ...BOOKED, source: 'adyen', event_type: 'AUTHORISATION' }],
      'authorised',
      '0',
    ] as const),
  ],
] as const)(
  'A movement moved if one of its reports did, unless the one that leads came back untouched: %s',
  ([, event_type, witnesses, standing, counted_amount]) => {
    const report = { source: 'adyen', event_type, amount: '30.10', metadata: null };
    const said = { human: [], isWitness: false, tax: UNKNOWN, witnesses };
    expect(countReport(SETTINGS, report, said)).toMatchObject({ standing, counted_amount });
  },
);

it('A line of a bank about a payout is between own accounts, and a sale that somebody pairs with one is not', () => {
  const said = { human: [], isWitness: false, tax: UNKNOWN, witnesses: [PAID_OUT] };
  const standingOf = (source: string) =>
    countReport(SETTINGS, { ...BOOKED, source }, said).standing;
  expect([standingOf('bank/main'), standingOf('shop')]).toEqual([
    'between_own_accounts',
    'counted',
  ]);
});

const TAXED = { currency: 'EUR', total: '119', untaxed: '100', tax: '19' };

/** A report whose metadata state a transaction. */
function stating(
  amount: string,
  transaction: JsonValue,
  fields: Readonly<Partial<StatedReport>> & { readonly isWhole?: boolean; basis?: string } = {},
): StatedReport {
  const { isWhole = false, basis = 'cash', ...own } = fields;
  const report = { source: 'accounting/main', external_id: 'A-1', timestamp: 0, currency: 'EUR' };
  const made = { id: `${own.source ?? ''} ${amount}`, ...report, amount, ...own };
  const stated = { basis, transaction };
  const metadata = isWhole ? stated : { account: 'income', ...stated };
  return { ...made, transaction: transactionIn(made, metadata) };
}

const posted = stating('100', TAXED);
const WHOLE = { ...TAXED, settled: '119' };
const PAYING = { basis: 'settlement' };

const UNTAXED: readonly [
  what: string,
  lead: string,
  reports: readonly StatedReport[],
  untaxed: string | null,
][] = [
  ['nothing stated', '119.00', [], null],
  ['a posting of income', '119.00', [posted], '100'],
  ['a refund', '-119.00', [stating('-100', { ...TAXED, total: '-119', untaxed: '-100' })], '100'],
  ['a refund of a source without signs', '-119.00', [posted], '100'],
  ['two postings of income', '119.00', [stating('60', TAXED), stating('40', TAXED)], '100'],
  ['one of two postings', '119.00', [stating('60', TAXED)], null],
  ['the tax as an event of its own beside the total', '119.00', [stating('119', TAXED)], null],
  ['the payment of a bill', '119.00', [stating('119', WHOLE, PAYING)], '100'],
  [
    ...(['a payment of two bills', '119.00'] as const),
    ...([[stating('59.5', WHOLE, PAYING), stating('59.50', WHOLE, PAYING)], '100'] as const),
  ],
  ['one of two bills that are paid', '119.00', [stating('59.5', WHOLE, PAYING)], null],
  ['the income of a payment', '119.00', [stating('100', WHOLE, PAYING)], null],
  ['the total of an object', '119.00', [stating('119', WHOLE, { isWhole: true })], '100'],
  ['an object without its tax', '119.00', [stating('100', WHOLE, { isWhole: true })], null],
  ['a part of the transaction', '59.50', [posted], null],
  ['a cent less', '118.99', [posted], null],
  ['what was settled after a fee', '116.50', [stating('100', { ...TAXED, fee: '-2.5' })], null],
  ['another currency', '119.00', [stating('100', { ...TAXED, currency: 'USD' })], null],
  ['no tax', '119.00', [stating('119', { ...TAXED, untaxed: '119' })], '119'],
  ['income above the total', '119.00', [stating('120', { ...TAXED, untaxed: '120' })], null],
  ['opposite signs', '119.00', [stating('-100', { ...TAXED, untaxed: '-100' })], null],
  ['nothing but tax', '119.00', [stating('0', { ...TAXED, untaxed: '0' })], null],
  ['a number', '119.00', [stating('100', { ...TAXED, untaxed: 100 })], null],
  ['no total', '119.00', [stating('100', { currency: 'EUR', untaxed: '100' })], null],
];

it.for(UNTAXED)(
  'A movement is without tax where a whole transaction states it to the last digit: %s',
  ([, amount, reports, untaxed]) => {
    expect(untaxedAmount({ amount, currency: 'EUR' }, reports)).toBe(untaxed);
  },
);

it('Of several reports that state another tax, the first one in the order of leading decides, whichever came first', () => {
  const lower = stating('111.21', { ...TAXED, untaxed: '111.21' }, { source: 'accounting/b' });
  const shop = stating('119', { ...TAXED, untaxed: '103' }, { source: 'shop', isWhole: true });
  const lead = { amount: '119', currency: 'EUR' };
  for (const reports of [
    [posted, lower, shop],
    [lower, shop, posted],
  ]) {
    expect(untaxedAmount(lead, reports)).toBe('103');
    expect(untaxedAmount(lead, reports.slice().reverse())).toBe('103');
  }
  expect(untaxedAmount(lead, [posted, lower])).toBe('111.21');
  expect(untaxedAmount(lead, [{ ...lower, currency: 'USD' }, posted])).toBe('100');
});

const cents = fc.integer({ min: 1, max: 100_000 });

it('What a movement counts and its tax add up to its amount, with its sign', () => {
  fc.assert(
    fc.property(
      cents,
      cents,
      fc.constantFrom('charge', 'refund', 'payout', 'CAPTURE', 'REFUND', 'thing'),
      fc.constantFrom('stripe', 'adyen', 'till'),
      fc.boolean(),
      fc.boolean(),
      fc.subarray([COST, REVENUE]),
      (income, tax, event_type, source, isOut, isWitness, human) => {
        const decimal = (units: number) => new Big(units).div(isOut ? -100 : 100).toFixed();
        const [untaxed, total] = [decimal(income), decimal(income + tax)];
        const transaction = { currency: 'EUR', total, untaxed };
        const part = untaxedAmount({ amount: total, currency: 'EUR' }, [
          stating(untaxed, transaction),
        ]);
        expect(part).toBe(new Big(untaxed).abs().toFixed());
        const report = { source, event_type, amount: total, metadata: null };
        const count = (stated: string | null) =>
          countReport(SETTINGS, report, {
            ...{ human, isWitness },
            tax: { untaxed: stated, isKnown: stated !== null },
          });
        const [gross, net] = [count(null), count(part)];
        expect(net).toMatchObject({ kind: gross.kind, standing: gross.standing });
        const all = new Big(gross.counted_amount).plus(gross.uncounted_amount);
        expect(new Big(net.counted_amount).plus(net.uncounted_amount).eq(all)).toBe(true);
        const sign = all.s;
        expect(net).toMatchObject(
          net.standing === 'counted'
            ? {
                counted_amount: new Big(income).div(100).times(sign).toFixed(),
                uncounted_amount: new Big(tax).div(100).times(sign).toFixed(),
              }
            : gross,
        );
      },
    ),
  );
});

it('Of a sale that counts, it is said if nobody says what it is without tax', () => {
  const marked = (event_type: string, amount: string, reports: readonly StatedReport[] = []) => {
    const lead = { id: reports[0]?.id ?? '', amount, currency: 'EUR' };
    const tax = taxSaid(lead, reports);
    const report = { source: 'till', event_type, amount, metadata: null };
    return countReport(SETTINGS, report, { human: [], isWitness: false, tax }).may_include_tax;
  };
  expect(marked('sale', '119.00')).toBe(true);
  expect(marked('refund', '-119.00')).toBe(false);
  expect(marked('payout', '119.00')).toBe(false);
  expect(marked('sale', '119.00', [posted])).toBe(false);
  expect(marked('sale', '118.00', [posted])).toBe(true);
  expect(marked('sale', '119', [stating('119', { ...TAXED, untaxed: '119' })])).toBe(false);
  expect(marked('sale', '60', [stating('60', TAXED)])).toBe(false);
  expect(marked('sale', '119', [stating('119', TAXED)])).toBe(true);
});

it('Two lines of banks in opposite directions are between own accounts, and those of one direction are not', () => {
  const line = (source: string, amount: string) => ({
    ...{ source, amount, event_type: 'booking', metadata: null },
  });
  const of = (lead: ReturnType<typeof line>, ...witnesses: ReturnType<typeof line>[]) =>
    countReport(SETTINGS, lead, { human: [], isWitness: false, tax: UNKNOWN, witnesses }).standing;
  expect(of(line('bank/a', '-70'), line('bank/b', '70'))).toBe('between_own_accounts');
  expect(of(line('bank/a', '70'), line('bank/b', '-76'))).toBe('between_own_accounts');
  expect(of(line('bank/a', '70'), line('bank/b', '70'))).toBe('counted');
  expect(of(line('bank/a', '70'), line('shop', '-70'))).toBe('counted');
});

it('What had been paid before counts only where money was seen', () => {
  const report = (source: string, metadata: Record<string, unknown> | null = null) => ({
    ...{ source, amount: '40', event_type: 'sale', metadata },
  });
  const earned = report('accounting/main', { basis: 'earned' });
  const of = (lead: ReturnType<typeof report>, ...witnesses: ReturnType<typeof report>[]) =>
    countReport(DEFAULT_ATTRIBUTION, lead, {
      ...{ human: [], isWitness: false, tax: UNKNOWN, witnesses },
    }).standing;
  expect(of(report('shop'), earned)).toBe('planned');
  expect(of(report('shop'), report('crm'), earned)).toBe('planned');
  expect(of(report('shop'), report('bank/main'), earned)).toBe('counted');
  expect(of(report('shop'), report('accounting/main'), earned)).toBe('counted');
  expect(of(report('stripe'), earned)).toBe('counted');
  expect(of(earned)).toBe('planned');
});
