import { leadOf } from '@decision-ledger/proof/movement';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pair } from '#server/domains/record/movements/rules/possibilities';
import { foldReference } from '#server/domains/record/movements/rules/references';
import { type Judged, type Report, reportOf } from '#server/domains/record/movements/rules/report';
import { type Said, settle } from '#server/domains/record/movements/rules/same-money';
import { sumOf } from '#server/domains/record/movements/rules/transaction';

const DAY = 86_400_000;
const AS_RECORDED = { earliest: 0, latest: 0 };
const judged: Judged = {
  ...{ kind: 'other', isOwn: false, sign: 1, worth: null, customerKey: 'customer_id' },
  ...{ span: AS_RECORDED, repeats: [], carriers: null },
};
const NOTHING: Said = { same: [], apart: [], contradicted: [] };

function report(id: string, source: string, more: Partial<Report> = {}): Report {
  const { amount = '19.90', currency = 'EUR' } = more;
  return {
    ...{ id, source, amount, currency, sign: 1, timestamp: 0, isCrowded: false },
    ...{ sums: new Set([sumOf(amount, currency)]), worth: null, whole: null },
    ...{
      references: new Set(),
      names: new Set(),
      orders: new Set(),
      objects: new Set(),
      inherited: new Set(),
      customer: null,
      words: new Set(),
    },
    ...{ kind: 'other', isOwn: more.kind === 'payout', deposit: null, fees: null },
    ...{ partPaid: null, external_id: null, isEarned: false },
    ...{ span: AS_RECORDED, repeats: [] },
    isDisputed: more.kind === 'dispute',
    ...more,
  };
}

/** References that many reports have. */
const refers = (...names: string[]) => ({ references: new Set(names) });
/** A reference that few reports have, and others that many have. */
const named = (name: string, ...more: string[]) => ({
  ...{ names: new Set([name]), references: new Set([name, ...more]) },
});
const sorted = (groups: readonly (readonly string[])[]) =>
  groups.map((group) => [...group].sort().join()).sort();
const movements = (reports: readonly Report[], said: Partial<Said> = {}) =>
  sorted(settle(reports, { ...NOTHING, ...said }).movements);

describe('The rules that pair reports of the same money', () => {
  test('Reports of two sources are paired within 45 days if few have the reference that they share', () => {
    const charge = report('a', 'stripe', named('order1001'));
    const late = { timestamp: 45 * DAY };
    expect(movements([charge, report('b', 'billing', { ...named('order1001'), ...late })])).toEqual(
      ['a,b'],
    );
    const later = { timestamp: 45 * DAY + 1 };
    expect(
      movements([charge, report('b', 'billing', { ...named('order1001'), ...later })]),
    ).toEqual(['a', 'b']);
  });

  test('A reference that many have pairs two within 4 days alone', () => {
    const charge = report('a', 'stripe', refers('customer17'));
    const near = report('b', 'billing', { ...refers('customer17'), timestamp: 4 * DAY });
    expect(movements([charge, near])).toEqual(['a,b']);
    const far = { ...near, timestamp: 4 * DAY + 1 };
    const { movements: made, doubtful } = settle([charge, far], NOTHING);
    expect(sorted(made)).toEqual(['a', 'b']);
    expect(doubtful).toMatchObject([{ reports: ['a', 'b'], doubt: 'far_apart' }]);
  });

  test('Payments of each month are paired by what they share with the report of their day', () => {
    const months = [0, 30, 60].flatMap((day, at) => [
      report(`a${at}`, 'stripe', { ...refers('customer17'), timestamp: day * DAY }),
      report(`b${at}`, 'billing', { ...refers('customer17'), timestamp: (day + 1) * DAY }),
    ]);
    expect(movements(months)).toEqual(['a0,b0', 'a1,b1', 'a2,b2']);
    const [, , a1, b1] = months as [Report, Report, Report, Report];
    // One month is missing in one source, another one in the other.
    expect(movements(months.filter((one) => one !== b1))).toEqual(['a0,b0', 'a1', 'a2,b2']);
    expect(movements(months.filter((one) => one === a1 || one.id === 'b2'))).toEqual(['a1', 'b2']);
  });

  test('A reference that few have decides between reports that share others', () => {
    const charges = ['order1', 'order2'].map((order, at) =>
      report(`a${at}`, 'stripe', named(order, 'customer17')),
    );
    const sales = ['order1', 'order2'].map((order, at) =>
      report(`b${at}`, 'billing', named(order, 'customer17')),
    );
    expect(movements([...charges, ...sales])).toEqual(['a0,b0', 'a1,b1']);
    const repeated = report('c', 'billing', { ...named('order1'), timestamp: 10 * DAY });
    expect(movements([...charges, ...sales, repeated])).toEqual(['a0,b0', 'a1,b1', 'c']);
  });

  test('Without a reference, only books repeat what others report, within 4 days', () => {
    const charge = report('a', 'stripe');
    expect(movements([charge, report('b', 'accounting/main', { timestamp: 4 * DAY })])).toEqual([
      'a,b',
    ]);
    expect(movements([charge, report('b', 'accounting/main', { timestamp: 4 * DAY + 1 })])).toEqual(
      ['a', 'b'],
    );
    expect(movements([charge, report('b', 'billing')])).toEqual(['a', 'b']);
  });

  describe('What the books have for a day before it happened', () => {
    const day = (days: number) => ({ timestamp: days * DAY });
    const posting = (days: number, more: Partial<Report> = {}) =>
      report(`posting${days}`, 'accounting/main', { ...day(days), ...more });
    const settled = (...reports: Report[]) => {
      const { movements: made, doubtful } = settle(reports, NOTHING);
      return {
        made: sorted(made),
        asked: doubtful.map(({ reports: [, other], doubt }) => `${other} ${doubt}`),
      };
    };

    test.each([
      ['a charge', 'stripe', {}],
      ['a refund', 'paypal', { kind: 'refund', sign: -1, amount: '-19.90' }],
      ["a sale of one's own system", 'billing', { kind: 'sale' }],
    ] as const)('It is asked more than a day before %s', (_name, source, more) => {
      const moved = report('a', source, { ...more, ...day(3) });
      expect(settled(posting(2, more), moved)).toEqual({ made: ['a,posting2'], asked: [] });
      const found = settled(posting(1, more), moved);
      expect(found).toEqual({ made: ['a', 'posting1'], asked: ['a no_reference'] });
    });

    test('A day ends by the clock of its source', () => {
      const moved = report('a', 'stripe', day(3));
      const whole = { span: { earliest: -0.4 * DAY, latest: 0.6 * DAY } };
      expect(movements([posting(1.4, whole), moved])).toEqual(['a,posting1.4']);
      expect(movements([posting(1.3, whole), moved])).toEqual(['a', 'posting1.3']);
    });

    test('A reference that both share says more, and so does the order that was there on that day', () => {
      const [booked, charge] = [
        posting(0, named('order1')),
        report('a', 'stripe', { ...named('order1'), ...day(3) }),
      ];
      expect(movements([booked, charge])).toEqual(['a,posting0']);
      const order = report('b', 'billing', { ...named('order2'), ...day(0) });
      const paid = report('a', 'stripe', { ...named('order2'), ...day(3) });
      expect(movements([posting(0), order, paid])).toEqual(['a,b,posting0']);
    });

    test('A line of a bank is often later than what the books have of it, and so is a payout', () => {
      const line = report('a', 'bank/main', { kind: 'cost', ...day(3) });
      expect(movements([posting(0, { kind: 'cost' }), line])).toEqual(['a,posting0']);
      const transfer = posting(0, { kind: 'transfer', isOwn: true });
      expect(movements([transfer, report('a', 'stripe', { kind: 'payout', ...day(3) })])).toEqual([
        'a,posting0',
      ]);
    });

    test('Beside a later posting it is a second possibility', () => {
      const found = settled(posting(0), posting(3), report('a', 'stripe', day(2)));
      expect(found.made).toEqual(['a', 'posting0', 'posting3']);
      expect(found.asked.sort()).toEqual(['a no_reference', 'a several_possibilities']);
    });
  });

  test('A source that is declared to repeat another one is compared without a reference, as books are', () => {
    const charge = report('a', 'stripe');
    const copied = (repeats: string[], more: Partial<Report> = {}) =>
      report('b', 'warehouse', { repeats, timestamp: 4 * DAY, ...more });
    for (const repeats of [['stripe'], ['other', 'str*']]) {
      const { movements: made, pairs: found } = settle([copied(repeats), charge], NOTHING);
      expect(sorted(made)).toEqual(['a,b']);
      expect(found.map(({ rule }) => rule)).toEqual(['repeated']);
    }
    expect(movements([charge, copied(['stripe/'])])).toEqual(['a', 'b']);
    expect(movements([charge, copied(['stripe'], { timestamp: 4 * DAY + 1 })])).toEqual(['a', 'b']);
    const contrary = [
      { ...charge, ...refers('order1001') },
      copied(['stripe'], refers('order1002')),
    ];
    expect(settle(contrary, NOTHING).doubtful).toMatchObject([
      { rule: 'repeated', doubt: 'other_references' },
    ]);
    const second = report('c', 'stripe');
    expect(movements([charge, second, copied(['stripe'])])).toEqual(['a', 'b', 'c']);
  });

  test('Two sources that repeat a third one repeat each other, and books repeat all of them', () => {
    const copies = ['one', 'two'].map((source) => report(source, source, { repeats: ['stripe'] }));
    const booked = report('booked', 'accounting/main');
    const all = [report('charge', 'stripe'), ...copies, booked];
    expect(movements(all)).toEqual(['booked,charge,one,two']);
    expect(movements(copies)).toEqual(['one,two']);
  });

  test('Two reports of a source that repeats itself are of one payment where everything agrees, more of them by a reference alone', () => {
    const lines = (count: number, more: Partial<Report> = {}) =>
      Array.from({ length: count }, (_, at) => report(`a${at}`, 'bank', more));
    const itself = { repeats: ['bank'] };
    expect(movements(lines(2))).toEqual(['a0', 'a1']);
    expect(movements(lines(2, itself))).toEqual(['a0,a1']);
    expect(movements(lines(2, { repeats: ['ban*'] }))).toEqual(['a0', 'a1']);
    for (const references of [{}, refers('customer17')]) {
      const { movements: made, doubtful } = settle(lines(3, { ...itself, ...references }), NOTHING);
      expect(made.length).toBe(3);
      expect(doubtful.map(({ doubt }) => doubt)).toEqual(Array(3).fill('several_possibilities'));
    }
    expect(movements(lines(3, { ...itself, ...named('order1001') }))).toEqual(['a0,a1,a2']);
    const booked = report('b', 'accounting/main');
    expect(movements([...lines(2, itself), booked])).toEqual(['a0,a1,b']);
    expect(movements([...lines(3, itself), booked])).toEqual(['a0', 'a1', 'a2', 'b']);
    const orders = lines(2, itself).map((one, at) => ({ ...one, ...refers(`order100${at}`) }));
    expect(movements(orders)).toEqual(['a0', 'a1']);
  });

  test('Whole days and local times are compared by when the money may have moved', () => {
    const charge = report('a', 'stripe', { timestamp: -4.5 * DAY });
    const day = report('b', 'accounting/main', { span: { earliest: 0, latest: DAY } });
    expect(movements([charge, day])).toEqual(['a', 'b']);
    expect(movements([{ ...charge, timestamp: -4 * DAY }, day])).toEqual(['a,b']);
    const shifted = { ...day, span: { earliest: -1.5 * DAY, latest: -1.5 * DAY } };
    expect(movements([charge, shifted])).toEqual(['a,b']);
    const later = { ...charge, timestamp: 2 * DAY };
    expect(movements([later, day])).toEqual(['a,b']);
    expect(movements([later, shifted])).toEqual(['a', 'b']);
  });

  test.each<[string, Partial<Report>]>([
    ['another amount', { amount: '19.91' }],
    ['another currency', { currency: 'USD' }],
    ['the other direction', { sign: -1 }],
    ['the same source', { source: 'stripe' }],
  ])('Reports of %s are never paired', (_name, other) => {
    const references = refers('order1001');
    const one = report('a', 'stripe', references);
    expect(movements([one, report('b', 'billing', { ...references, ...other })])).toEqual([
      'a',
      'b',
    ]);
  });

  test('Digits after the point do not make another amount, nor does a sign that only one source writes', () => {
    const refund = report('a', 'stripe', { amount: '-19.9', sign: -1 });
    const booked = report('b', 'accounting/main', { amount: '19.90', sign: -1 });
    expect(movements([refund, booked])).toEqual(['a,b']);
  });

  test('Two customers who pay the same on one day are not paired without a reference', () => {
    const charges = [report('a', 'stripe'), report('b', 'stripe')];
    const booked = [report('c', 'accounting/main'), report('d', 'accounting/main')];
    const { movements: made, doubtful } = settle([...charges, ...booked], NOTHING);
    expect(sorted(made)).toEqual(['a', 'b', 'c', 'd']);
    expect(doubtful.map(({ doubt }) => doubt)).toEqual(Array(4).fill('several_possibilities'));
  });

  test('A reference decides between reports of the same amount, and what it leaves is certain', () => {
    const charges = [report('a', 'stripe', refers('order1001')), report('b', 'stripe')];
    const booked = [
      report('c', 'accounting/main', refers('order1001')),
      report('d', 'accounting/main'),
    ];
    expect(movements([...charges, ...booked])).toEqual(['a,c', 'b,d']);
  });

  test('A posting without reference that may be of two sales is paired with neither, though only one of them was charged', () => {
    const [order, other] = [named('a100285'), named('a100284')];
    const reports = [
      ...[report('a', 'stripe', order), report('b', 'shop', order), report('c', 'shop', other)],
      report('d', 'accounting/main', { timestamp: 2 * DAY }),
    ];
    const { movements: made, doubtful } = settle(reports, NOTHING);
    expect(sorted(made)).toEqual(['a,b', 'c', 'd']);
    expect(doubtful.map((one) => [...one.reports, one.doubt].join())).toEqual([
      'a,d,several_possibilities',
      'b,d,several_possibilities',
      'c,d,several_possibilities',
    ]);
    expect(movements(reports.filter(({ id }) => id !== 'c'))).toEqual(['a,b,d']);
  });

  test.each<[string, Partial<Report>, Partial<Report>]>([
    ['orders', named('a100399'), named('a100401')],
    ['customers', { customer: 'c1276' }, { customer: 'c1393' }],
  ])(
    'Reports that name different %s are not paired by amount and day alone',
    (_name, one, other) => {
      const reports = [report('a', 'stripe', one), report('b', 'accounting/main', other)];
      const { movements: made, doubtful } = settle(reports, NOTHING);
      expect(sorted(made)).toEqual(['a', 'b']);
      expect(doubtful).toMatchObject([{ reports: ['a', 'b'], doubt: 'other_references' }]);
      expect(movements([report('a', 'stripe', one), report('b', 'accounting/main')])).toEqual([
        'a,b',
      ]);
    },
  );

  test('What was won back of a sale is told apart from it by its day', () => {
    const order = named('a100500');
    const reports = [0, 36 * DAY].flatMap((timestamp, at) => [
      report(`a${at}`, 'stripe', { ...order, timestamp }),
      report(`b${at}`, 'accounting/main', { ...order, timestamp }),
    ]);
    expect(movements(reports)).toEqual(['a0,b0', 'a1,b1']);
  });

  test('What a person pairs leaves the rest certain, and so does what a person parts', () => {
    const reports = [
      ...[report('a', 'stripe'), report('b', 'stripe')],
      ...[report('c', 'accounting/main'), report('d', 'accounting/main')],
    ];
    expect(movements(reports, { same: [['a', 'c']] })).toEqual(['a,c', 'b,d']);
    const apart = [['a', 'd']] as const;
    expect(movements(reports, { apart })).toEqual(['a', 'b', 'c', 'd']);
    expect(movements(reports.slice(0, 1).concat(reports.slice(2)), { apart })).toEqual([
      'a,c',
      'd',
    ]);
  });

  test('A second possibility parts a pair of a rule, and not that of a person', () => {
    const pair = [report('a', 'stripe'), report('b', 'accounting/main')];
    const second = report('c', 'accounting/main', { timestamp: DAY });
    expect(movements(pair)).toEqual(['a,b']);
    expect(movements([...pair, second])).toEqual(['a', 'b', 'c']);
    expect(movements([...pair, second], { same: [['b', 'a']] })).toEqual(['a,b', 'c']);
  });

  test('The parting of a person is not undone by a rule, not even through a third report', () => {
    const [a, b, c] = ['stripe', 'billing', 'accounting/main'].map((source, at) =>
      report('abc'.charAt(at), source, refers('order1001')),
    ) as [Report, Report, Report];
    expect(movements([a, b, c])).toEqual(['a,b,c']);
    expect(movements([a, b], { apart: [['b', 'a']] })).toEqual(['a', 'b']);
    expect(movements([a, b, c], { apart: [['a', 'b']] })).toEqual(['a', 'b', 'c']);
  });

  test('Reports whose links contradict each other are not brought together', () => {
    const pair = [report('a', 'stripe'), report('b', 'accounting/main')];
    expect(movements(pair, { contradicted: [['b', 'a']] })).toEqual(['a', 'b']);
    expect(movements(pair, { contradicted: [['b', 'a']], same: [['a', 'b']] })).toEqual(['a,b']);
  });

  test('Rules bring no two reports of one source together through reports of others', () => {
    const all = (...names: string[]) => ({ names: new Set(names), references: new Set(names) });
    const chain = [
      report('a', 'stripe', all('ref1')),
      report('b', 'billing', all('ref1', 'ref2')),
      report('c', 'shop', all('ref2', 'ref3')),
      report('d', 'stripe', all('ref3')),
    ];
    expect(movements(chain)).toEqual(['a', 'b', 'c', 'd']);
    expect(movements(chain.slice(0, 3))).toEqual(['a,b,c']);
  });

  const transaction = {
    ...{ currency: 'EUR', total: '35.70', untaxed: '30.00', tax: '5.70', settled: '34.20' },
  };
  const booked = (id: string, amount: string, more: object = {}) =>
    reportOf(
      {
        ...{ event_id: id, source: 'accounting/main', amount, currency: 'EUR', timestamp: 0 },
        ...{ external_id: null, description: null },
        metadata: { transaction, ...more },
      },
      { ...judged, sign: amount.startsWith('-') ? -1 : 1 },
    );
  const charged = (amount: string) => report('a', 'stripe', { amount });

  test.each([['35.70'], ['30.00'], ['34.20']])(
    'A sale in the books is compared with its total, its income and what was settled: %s',
    (amount) => {
      expect(movements([charged(amount), booked('b', '30.00')])).toEqual(['a,b']);
      // The transaction has a fee as well, which goes the other way.
      const refund = { ...charged(amount), sign: -1 } as const;
      expect(movements([refund, booked('b', '-1.50')])).toEqual(['a', 'b']);
    },
  );

  test('A sale in the books of several accounts is compared as a whole, and each of its parts alone', () => {
    const parts = [booked('b', '10.00'), booked('c', '20.00')];
    expect(movements([charged('35.70'), ...parts])).toEqual(['a,b,c']);
    expect(movements([charged('20.00'), ...parts])).toEqual(['a,c', 'b']);
    expect(movements([charged('35.70'), booked('b', '10.00')])).toEqual(['a', 'b']);
    const other = report('d', 'stripe', { amount: '35.70' });
    expect(movements([charged('35.70'), other, ...parts])).toEqual(['a', 'b', 'c', 'd']);
    expect(movements([charged('35.70'), ...parts], { apart: [['a', 'c']] })).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  test('A charge is compared with what was settled of it, in the currency of the account', () => {
    const settled = { stripe_settled: '92.00 EUR', stripe_net: '89.30 EUR' };
    const charge = reportOf(
      {
        ...{ event_id: 'a', source: 'stripe', amount: '100.00', currency: 'USD', timestamp: 0 },
        ...{ external_id: 'ch_1', description: null, metadata: settled },
      },
      judged,
    );
    for (const amount of ['92.00', '89.3']) {
      expect(movements([charge, report('b', 'accounting/main', { amount })])).toEqual(['a,b']);
    }
    expect(movements([charge, report('b', 'accounting/main', { amount: '100' })])).toEqual([
      'a',
      'b',
    ]);
  });

  test('What names the other in another currency may differ by one per cent at the rates of the days', () => {
    const charge = report('a', 'stripe', {
      ...{ ...named('order1001'), amount: '100', currency: 'USD', worth: 92 },
    });
    const sale = (worth: number, more: Partial<Report> = named('order1001')) =>
      report('b', 'billing', { ...more, amount: String(worth), worth });
    expect(movements([charge, sale(92.9)])).toEqual(['a,b']);
    expect(movements([charge, sale(93)])).toEqual(['a', 'b']);
    expect(movements([charge, sale(92, {})])).toEqual(['a', 'b']);
    expect(movements([{ ...charge, worth: null }, sale(92)])).toEqual(['a', 'b']);
  });

  test('What has the order of the other in another currency, at another rate or at none, is asked about', () => {
    const of = (id: string, source: string, more: Partial<Report>) =>
      report(id, source, {
        ...{ ...named('order1001'), orders: new Set(['order1001']), kind: 'sale', amount: '92' },
        ...more,
      });
    const charge = of('a', 'stripe', { amount: '100', currency: 'USD', worth: 92 });
    const asked = (...reports: Report[]) =>
      settle(reports, NOTHING).doubtful.map(
        ({ reports: pair, doubt }) => `${[...pair].sort()} ${doubt}`,
      );
    for (const worth of [null, 79, 95, 106]) {
      expect(asked(charge, of('b', 'billing', { worth }))).toEqual(['a,b other_amount']);
    }
    const others: Partial<Report>[] = [
      { worth: 70 },
      { sign: -1 },
      { kind: 'payout', isOwn: true },
      { names: new Set(), references: new Set() },
      { orders: new Set(['order1002']), names: new Set(['order1002']) },
      { timestamp: 45 * DAY + 1 },
    ];
    for (const more of others) expect(asked(charge, of('b', 'billing', more))).toEqual([]);
    const euros = of('c', 'stripe', { worth: 92 });
    expect(asked({ ...charge, worth: 85 }, of('b', 'billing', { worth: 92 }), euros)).toEqual([]);
  });

  test('References are read from identifier, metadata and description, and name no customer and no day', () => {
    const read = reportOf(
      {
        ...{ event_id: 'a', source: 'billing', amount: '5.00', currency: 'EUR', timestamp: 0 },
        ...{ external_id: 'INV-17', description: 'Sale A-100152 (2025-07-20), cash' },
        metadata: {
          customer_id: 'C-1246',
          month: 202507,
          plan: 'plus',
          paid: true,
        },
      },
      judged,
    );
    expect([...read.references]).toEqual(['inv17', 'c1246', '202507', 'a100152', '20250720']);
    expect([...read.names]).toEqual(['inv17', 'a100152']);
    expect(read.customer).toBe('c1246');
  });

  test.each([
    [['external_id'], ['id100']],
    [['metadata.order', 'metadata.absent'], ['order7']],
    [['description'], ['order7', 'sale9']],
    [[], []],
  ])('References are read from what is listed alone: %j', (carriers, found) => {
    const row = {
      ...{ event_id: 'a', source: 'billing', amount: '5.00', currency: 'EUR', timestamp: 0 },
      ...{ external_id: 'ID-100', description: 'Order-7 sale-9' },
      metadata: { order: 'ORDER 7', external_id: 'other-1' },
    };
    const read = reportOf(row, { ...judged, carriers: new Set(carriers) });
    expect([...read.references]).toEqual(found);
    expect([...read.names]).toEqual(found);
  });

  test.each<[string, string[]]>([
    ['Payment for A 100253', ['100253', 'a100253']],
    ['INV 2025 00007', ['2025', '00007', 'inv202500007']],
    ['EUR 10000, May 2025, Jul 15 2025', ['10000', '2025']],
    ['Invoices 100253, A 1234', ['100253', '1234']],
    ['Due 20250704', ['20250704']],
  ])('A number that is written as several words is read as one: %s', (description, found) => {
    const row = {
      ...{ event_id: 'a', source: 'billing', amount: '5.00', currency: 'EUR', timestamp: 0 },
      ...{ external_id: null, description, metadata: null },
    };
    expect([...reportOf(row, judged).references]).toEqual(found);
    const carriers = new Set(['external_id']);
    expect(reportOf(row, { ...judged, carriers }).references.size).toBe(0);
  });

  test('What is listed only narrows: nothing beyond the first 32 references is read', () => {
    const members = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`m${at}`, `ref${at}`]),
    );
    const row = {
      ...{ event_id: 'a', source: 'billing', amount: '5.00', currency: 'EUR', timestamp: 0 },
      ...{ external_id: null, description: null, metadata: { a: 'none', ...members } },
    };
    const all = reportOf(row, judged).references;
    expect(all.size).toBe(32);
    const carriers = new Set(['metadata.m31', 'metadata.m39']);
    expect([...reportOf(row, { ...judged, carriers }).references]).toEqual(['ref31']);
  });

  test.each([
    ['Order-1001', 'order1001'],
    ['ORDER 1001', 'order1001'],
    ['#1001/A', '1001a'],
    ['Rechnung\u00a0№ 1001', 'rechnung1001'],
    ['order', null],
    ['A-1', null],
    ['', null],
  ])('The reference %s is compared as %s', (text, folded) => {
    expect(foldReference(text)).toBe(folded);
  });
});

const SOURCES = ['stripe', 'billing', 'accounting/a', 'accounting/b'];
const KINDS = ['other', 'other', 'sale', 'fee', 'refund', 'cost', 'payout', 'dispute'] as const;

const NAMES = ['ref1', 'ref2', 'ref3'];
const drawn: fc.Arbitrary<Report> = fc
  .record({
    source: fc.constantFrom(...SOURCES, 'bank/a'),
    kind: fc.constantFrom(...KINDS),
    words: fc.subarray(['stripe']).map((words) => new Set(words)),
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    amount: fc.constantFrom('19.90', '19.9', '5'),
    sign: fc.constantFrom(1 as const, 1 as const, -1 as const, 0 as const),
    timestamp: fc.integer({ min: 0, max: 60 }).map((days) => days * DAY),
    references: fc.subarray([...NAMES, 'order1', 'order2']),
    names: fc.subarray(NAMES),
    orders: fc.subarray([...NAMES, 'x1'], { maxLength: 2 }).map((orders) => new Set(orders)),
    objects: fc.subarray(NAMES, { maxLength: 1 }),
    customer: fc.constantFrom(null, null, null, 'x1', 'x2'),
    isCrowded: fc.nat(9).map((one) => one === 0),
    span: fc.constantFrom(AS_RECORDED, AS_RECORDED, { earliest: -DAY, latest: DAY }),
  })
  .map(({ source, references, names, objects, ...more }) => {
    const own = names.filter((name) => references.includes(name));
    return report('', source, {
      ...{ ...more, ...refers(...references), names: new Set(own) },
      objects: new Set(source === 'stripe' ? objects.filter((name) => own.includes(name)) : []),
    });
  });
const patterns = fc.subarray([...SOURCES, 'bank/a', 'acc*', 'shop'], { maxLength: 2 });
const declared = fc.oneof(
  fc.constant(new Map<string, string[]>()),
  fc
    .tuple(...[...SOURCES, 'bank/a'].map((source) => fc.tuple(fc.constant(source), patterns)))
    .map((lists) => new Map(lists)),
);
const reports = fc
  .tuple(fc.array(drawn, { maxLength: 9 }), declared)
  .map(([all, lists]) =>
    all.map((one, at) => ({ ...one, id: `evt_${at}`, repeats: lists.get(one.source) ?? [] })),
  );

function days(a: Report, b: Report): number {
  const [first, last] = [a, b].sort((x, y) => x.timestamp - y.timestamp) as [Report, Report];
  const gap = last.timestamp - first.timestamp + last.span.earliest - first.span.latest;
  return Math.max(gap, 0) / DAY;
}

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((x) => b.has(x));

/** With the names of the only payment of which it names an object. */
function withPayment(one: Report, all: readonly Report[]): Report {
  const payments = all.filter(
    (payment) =>
      payment.kind === 'sale' &&
      one.kind !== 'sale' &&
      one.source === payment.source &&
      overlap(one.objects, payment.objects) &&
      days(one, payment) <= 45,
  );
  const [payment] = payments;
  if (payment === undefined || payments.length > 1) return one;
  return {
    ...one,
    references: new Set([...one.references, ...payment.names]),
    names: new Set([...one.names, ...payment.names]),
    inherited: new Set([...payment.names].filter((name) => !one.names.has(name))),
    orders: new Set([...one.orders, ...payment.orders]),
    customer: one.customer ?? payment.customer,
  };
}

/** The same by brute force, with one question for each pair, and a closure by repetition. */
function expectedMovements(told: readonly Report[], { same, apart, contradicted }: Said) {
  const all = told.map((one) => withPayment(one, told));
  const has = (pairs: readonly Pair[], a: Report, b: Report) =>
    pairs.some(([x, y]) => (x === a.id && y === b.id) || (x === b.id && y === a.id));
  const close = (near: (a: Report, b: Report) => boolean) => {
    let groups = all.map((one) => [one]);
    for (let before = -1; before !== groups.length; ) {
      before = groups.length;
      const made: Report[][] = [];
      for (const group of groups) {
        const found = made.find((other) => other.some((a) => group.some((b) => near(a, b))));
        if (found === undefined) made.push(group);
        else found.push(...group);
      }
      groups = made;
    }
    return groups;
  };
  const people = close((a, b) => has(same, a, b));
  const together = (a: Report, b: Report) => people.some((g) => g.includes(a) && g.includes(b));
  const size = (one: Report) => Math.abs(Number(one.amount));
  const itself = (one: Report) => one.repeats.includes(one.source);
  const isSecond = (a: Report, b: Report) => a !== b && a.source === b.source;
  const isMeant = (pattern: string, text: string) =>
    pattern === text || (pattern.endsWith('*') && text.startsWith(pattern.replace('*', '')));
  const repeats = (a: Report, b: Report) =>
    a.source === b.source
      ? itself(a)
      : [a, b].some(({ repeats: own }, at) =>
          own.some((pattern) => {
            const other = at === 0 ? b : a;
            return [other.source, ...other.repeats].some((text) => isMeant(pattern, text));
          }),
        );
  const groupOf = (a: Report) => people.find((group) => group.includes(a)) ?? [];
  /** Whether a payout is stated as what leaves the account of its source, and the bank receives it. */
  const isPaidOut = (a: Report, b: Report) =>
    isPayout(a) && a.sign === -1 && b.sign === 1 && b.source === 'bank/a';
  const isTransfer = (a: Report, b: Report) =>
    a.isOwn && a.source.startsWith('accounting/') && b.source === 'bank/a';
  const alike = (a: Report, b: Report) =>
    !groupOf(a).includes(b) &&
    !groupOf(a).some((c) => groupOf(b).some((d) => c.source === d.source && !itself(c))) &&
    !has(apart, a, b) &&
    a.currency === b.currency &&
    (a.sign * b.sign === 1 ||
      isPaidOut(a, b) ||
      isPaidOut(b, a) ||
      isTransfer(a, b) ||
      isTransfer(b, a)) &&
    size(a) === size(b);
  const common = (a: Report, b: Report) => [...a.names].filter((r) => b.names.has(r));
  const isOwn = ({ kind }: Report) => kind === 'payout';
  const isPayout = (a: Report) => isOwn(a) && !/^(bank|accounting)/.test(a.source);
  const untold = ['other', 'sale', 'cost'];
  /** Whether the first one may be of the money between own accounts that the second one is of. */
  const isOutside = (a: Report, b: Report) =>
    !isOwn(a) &&
    ((a.source === 'bank/a' && untold.includes(a.kind)) ||
      (a.source.startsWith('accounting/') && isPayout(b) && common(a, b).length > 0));
  /** Whether a dispute is with something that is known to be none. Books call it a sale or a cost. */
  const isDisputed = (a: Report, b: Report) =>
    a.kind === 'dispute' &&
    (['fee', 'refund'].includes(b.kind) ||
      (b.kind === 'sale' && !(b.source.startsWith('accounting/') && b.sign === -1)));
  const fits = (a: Report, b: Report) => !isDisputed(a, b) && !isDisputed(b, a) && fitsInOwn(a, b);
  const fitsInOwn = (a: Report, b: Report) =>
    isOwn(a) === isOwn(b) || (isOwn(a) ? isOutside(b, a) : isOutside(a, b));
  const shares = (a: Report, b: Report) =>
    alike(a, b) &&
    fits(a, b) &&
    days(a, b) <= 45 &&
    [...a.references].some((r) => b.references.has(r));
  const shareNames = (a: Report, b: Report) => shares(a, b) && common(a, b).length > 0;
  const isMoment = (a: Report, b: Report) =>
    days(a, b) <= 1 / 1440 &&
    [a, b].every((one) => !one.source.includes('accounting/') && one.span === AS_RECORDED);
  const kindsOf = (texts: Iterable<string>) =>
    ['ref', 'order', 'x'].map((kind) => [...texts].filter((text) => text.startsWith(kind)));
  /** Whether both have texts of one kind, and none of these in common. */
  const clash = (a: Iterable<string>, b: Iterable<string>) =>
    kindsOf(a).some((own, at) => {
      const others = kindsOf(b)[at] ?? [];
      return own.length * others.length > 0 && !own.some((text) => others.includes(text));
    });
  const customersOf = (group: readonly Report[]) => group.flatMap(({ customer }) => customer ?? []);
  const ordersOf = (group: readonly Report[]) => group.flatMap(({ orders }) => [...orders]);
  const textsOf = (group: readonly Report[]) => group.flatMap(({ references }) => [...references]);
  /** Whether some of them are of other orders or customers, unless people or an object of a payment hold them together. */
  const isTorn = (group: readonly Report[]) => {
    const isOne = (a: Report, b: Report) =>
      together(a, b) || overlap(a.objects, b.references) || overlap(b.objects, a.references);
    const units = close((a, b) => group.includes(a) && group.includes(b) && isOne(a, b)).filter(
      ([a]) => a !== undefined && group.includes(a),
    );
    return units.some((one) =>
      units.some(
        (other) =>
          one !== other &&
          (clash(ordersOf(one), ordersOf(other)) || clash(customersOf(one), customersOf(other))),
      ),
    );
  };
  const isAlikeDisputed = (a: Report, b: Report) => a.isDisputed === b.isDisputed;
  type Speaks = (a: Report, b: Report) => boolean;
  /** Whether a side has a couple with all these names, and more, or at one moment, or which is of one dispute. */
  const named = (speaks: Speaks) => {
    const isSurpassed = (a: Report, b: Report) => {
      const isMore = (x: Report, y: Report) => {
        if (!speaks(x, y)) return false;
        if (isAlikeDisputed(x, y) !== isAlikeDisputed(a, b)) return isAlikeDisputed(x, y);
        return (
          (common(x, y).length > common(a, b).length || (isMoment(x, y) && !isMoment(a, b))) &&
          common(a, b).every((name) => common(x, y).includes(name))
        );
      };
      return all.some(
        (c) => (c.source === b.source && isMore(a, c)) || (c.source === a.source && isMore(c, b)),
      );
    };
    return (a: Report, b: Report) => speaks(a, b) && !isSurpassed(a, b);
  };
  const isNamed = (a: Report, b: Report) => shareNames(a, b) && !isTorn([a, b]);
  const isNamedByBoth = (a: Report, b: Report) =>
    isNamed(a, b) && common(a, b).some((name) => !a.inherited.has(name) && !b.inherited.has(name));
  const only = (speaks: Speaks) => (a: Report, b: Report) =>
    speaks(a, b) &&
    all.filter((c) => c.source === b.source && speaks(a, c)).length === 1 &&
    all.filter((c) => c.source === a.source && speaks(c, b)).length === 1;
  const areContrary = (one: readonly Report[], other: readonly Report[]) => {
    const [orders, others] = [ordersOf(one), ordersOf(other)];
    const [texts, theirs] = [textsOf(one), textsOf(other)];
    return (
      customersOf(one).some((name) => customersOf(other).some((their) => their !== name)) ||
      (orders.length * others.length > 0 &&
        !orders.some((order) => others.includes(order) || theirs.includes(order)) &&
        !others.some((order) => texts.includes(order))) ||
      clash(texts, theirs)
    );
  };
  const contrary = (a: Report, b: Report) => areContrary([a], [b]);
  const near = (a: Report, b: Report) =>
    alike(a, b) && days(a, b) <= 4 && !a.isCrowded && !b.isCrowded;
  /** Income is no cost, and what was given back is no fee. */
  const differ = (a: Report, b: Report) =>
    (['fee', 'cost'].includes(a.kind) && b.kind === 'sale') ||
    (a.kind === 'fee' && b.kind === 'refund');
  const repeated = (a: Report, b: Report) =>
    near(a, b) && `${a.source} ${b.source}`.includes('accounting/') && isAlikeInKind(a, b);
  const isAlikeInKind = (a: Report, b: Report) =>
    isOwn(a) === isOwn(b) && fits(a, b) && !differ(a, b) && !differ(b, a);
  const isOfBank = (a: Report, b: Report) => `${a.source} ${b.source}`.includes('bank/');
  const arrived = (a: Report, b: Report): boolean =>
    isPayout(b) && !isPayout(a)
      ? arrived(b, a)
      : near(a, b) &&
        isPayout(a) &&
        b.source === 'bank/a' &&
        (isOwn(b) || (untold.includes(b.kind) && b.words.has(a.source)));
  const areAtOnce = (a: Report, b: Report) => isMoment(a, b) && !contrary(a, b);
  const isEarly = (a: Report, b: Report): boolean =>
    b.source.includes('accounting/')
      ? !a.source.includes('accounting/') && isEarly(b, a)
      : !isOwn(a) && !isOwn(b) && b.timestamp + b.span.earliest > a.timestamp + a.span.latest + DAY;
  const levels: [isStrong: boolean, of: (isFree: Speaks) => Speaks, isInBooks?: true][] = [
    [true, () => only(named(isNamedByBoth))],
    [true, (isFree) => only(named((a, b) => isNamed(a, b) && isFree(a, b)))],
    [true, (isFree) => only((a, b) => areAtOnce(a, b) && shares(a, b) && isFree(a, b))],
    [false, () => (a, b) => shares(a, b) && days(a, b) <= 4],
    [false, () => (a, b) => near(a, b) && repeats(a, b) && isAlikeInKind(a, b)],
    [false, () => (a, b) => repeated(a, b) && !isOfBank(a, b), true],
    [true, (isFree) => only((a, b) => arrived(a, b) && isFree(a, b))],
    [false, () => (a, b) => repeated(a, b) && isOfBank(a, b)],
  ];
  const taken: Report[][] = [];
  const hasTaken = (x: Report, source: string) =>
    taken.some(
      (couple) => couple.includes(x) && couple.some((c) => c !== x && c.source === source),
    );
  const isFree = (a: Report, b: Report) => !hasTaken(a, b.source) && !hasTaken(b, a.source);
  const found: { readonly isStrong: boolean; readonly couples: Report[][] }[] = [];
  const early: Report[][] = [];
  for (const [isStrong, of, isInBooks = false] of levels) {
    const speaks = of(isFree);
    const couples = all.flatMap((a) =>
      all.flatMap((b) =>
        speaks(a, b) && isFree(a, b) && (isStrong || !contrary(a, b)) ? [[a, b]] : [],
      ),
    );
    found.push({ isStrong, couples });
    if (isInBooks) early.push(...couples.filter(([a, b]) => a && b && isEarly(a, b)));
    taken.push(...couples);
  }
  const among = (chosen: readonly Report[][], a: Report, b: Report) =>
    chosen.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
  const said = all.flatMap((a) => all.flatMap((b) => (has(same, a, b) ? [[a, b]] : [])));
  /** Groups of what was together and what is chosen, without what may not be together. */
  const add = (before: readonly Report[][], chosen: readonly Report[][]) => {
    const direct = [...said, ...before, ...chosen];
    const isBeside = (x: Report) =>
      direct.some((couple) => couple.includes(x) && couple.some(isOwn));
    const isMixed = (a: Report, b: Report) =>
      isOwn(a) && !isOwn(b) && b.source !== 'bank/a' && !isBeside(b);
    const isBad = (group: readonly Report[]) =>
      group.some((a) =>
        group.some(
          (b) =>
            !together(a, b) &&
            a !== b &&
            ((a.source === b.source && !itself(a)) ||
              has(apart, a, b) ||
              has(contradicted, a, b) ||
              isMixed(a, b)),
        ),
      ) || isTorn(group);
    const isIn = (a: Report, b: Report) => together(a, b) || among(before, a, b);
    const bad = close((a, b) => isIn(a, b) || among(chosen, a, b))
      .filter(isBad)
      .flat();
    const made = chosen.filter(([a]) => a !== undefined && !bad.includes(a));
    return { made, groups: close((a, b) => isIn(a, b) || among(made, a, b)) };
  };
  let strong = add([], []);
  for (const { isStrong, couples } of found) {
    if (!isStrong) continue;
    const { made, groups } = add(strong.made, couples);
    strong = { made: [...strong.made, ...made], groups };
  }
  const disjoint = (one: readonly Report[], other: readonly Report[]) =>
    one !== other && !one.some((a) => other.some((b) => a.source === b.source && !itself(a)));
  const weak = found.flatMap(({ isStrong, couples }) => {
    const certain = isStrong ? [] : couples.filter(([a, b]) => a && b && !contrary(a, b));
    return certain.filter(([a, b]) => {
      if (!a || !b || !isSecond(a, b) || common(a, b).length > 0) return true;
      return [a, b].every(
        (x) => certain.filter(([y, z]) => y === x && z?.source === x.source).length === 1,
      );
    });
  });
  /** Whether one of two groups, of which one holds several, is of other orders or customers than the other one. */
  const isOfOthers = (one: readonly Report[], other: readonly Report[]) =>
    one.length + other.length > 2 && areContrary(one, other);
  const touch = (one: readonly Report[], other: readonly Report[]) =>
    disjoint(one, other) &&
    !isOfOthers(one, other) &&
    one.some((a) => other.some((b) => among(weak, a, b)));
  const around = (one: readonly Report[]) =>
    strong.groups.filter((other) => other === one || touch(one, other));
  const agree = (one: readonly Report[]) =>
    around(one).every((other) => {
      const others = around(other);
      return others.length === around(one).length && others.every((x) => around(one).includes(x));
    });
  const groupIn = (a: Report | undefined) =>
    strong.groups.find((group) => a !== undefined && group.includes(a)) ?? [];
  const chosen = weak.filter(
    (couple) =>
      !early.includes(couple) &&
      touch(groupIn(couple[0]), groupIn(couple[1])) &&
      agree(groupIn(couple[0])),
  );
  return add(strong.made, chosen).groups.map((group) => group.map(({ id }) => id));
}

const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), {
  maxLength: 2,
});

describe('Movements', () => {
  test('They are those that brute force finds, whatever the order of the reports', () => {
    fc.assert(
      fc.property(reports, pairs, pairs, pairs, fc.infiniteStream(fc.nat()), (all, ...drawn) => {
        const [joined, parted, denied, dice] = drawn;
        const idsOf = (chosen: readonly [number, number][]) =>
          chosen.flatMap(([a, b]): Pair[] => (a === b ? [] : [[`evt_${a}`, `evt_${b}`]]));
        const said = {
          ...{ same: idsOf(joined), apart: idsOf(parted), contradicted: idsOf(denied) },
        };
        const expected = sorted(expectedMovements(all, said));
        expect(sorted(settle(all, said).movements)).toEqual(expected);
        const shuffled = all
          .map((one) => ({ one, at: dice.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one);
        expect(sorted(settle(shuffled, said).movements)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  test('The report that leads follows from the reports, and not from their order', () => {
    const one = fc.record({
      id: fc.uuid(),
      source: fc.constantFrom(...SOURCES, 'shop'),
      external_id: fc.option(fc.constantFrom('a', 'b'), { nil: null }),
      timestamp: fc.integer({ min: 0, max: 2 }),
    });
    const rank = (source: string) =>
      source === 'stripe' ? 0 : source.startsWith('accounting/') ? 2 : 1;
    const key = ({ source, timestamp, external_id, id }: ReturnType<typeof leadOf>) =>
      [rank(source), timestamp, source, external_id ?? '', id].join('\u0001');
    fc.assert(
      fc.property(fc.uniqueArray(one, { minLength: 1, selector: ({ id }) => id }), (all) => {
        const first = [...all].sort((a, b) => (key(a) < key(b) ? -1 : 1))[0];
        expect(leadOf(all)).toBe(first);
        expect(leadOf([...all].reverse())).toBe(first);
      }),
    );
  });
});
