import { leadOf } from '@decision-ledger/proof/movement';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Report, reportOf } from '#server/domains/record/movements/rules/report';
import { type Said, settle } from '#server/domains/record/movements/rules/same-money';

const DAY = 86_400_000;
const BOOKS = 'accounting/main';
const NOTHING: Said = { same: [], apart: [], contradicted: [] };

interface Told {
  readonly kind?: 'sale' | 'fee' | 'refund' | 'cost' | 'other';
  readonly day?: number;
  /** Numbers of orders. */
  readonly order?: string | readonly string[];
  readonly currency?: string;
  readonly customer?: string;
}

function told(id: string, source: string, amount: string, more: Told = {}): Report {
  const { kind = 'sale', day = 0, order = [], currency = 'EUR', customer } = more;
  const metadata = { order_id: order, ...(customer !== undefined && { customer_id: customer }) };
  const row = { event_id: id, source, amount, currency, external_id: null, description: null };
  return reportOf(
    { ...row, timestamp: day * DAY, metadata: JSON.parse(JSON.stringify(metadata)) },
    {
      ...{ kind, isOwn: false, worth: null, sign: amount.startsWith('-') ? -1 : 1 },
      ...{ customerKey: 'customer_id', span: { earliest: 0, latest: 0 }, repeats: [] },
      carriers: null,
    },
  );
}

const sorted = (groups: readonly (readonly string[])[]) =>
  groups.map((group) => [...group].sort().join()).sort();

/** Movements, what is asked with what is paired if it is, and the sum of what leads: the same in two orders. */
function outcome(reports: readonly Report[], said: Partial<Said> = {}) {
  const of = (all: readonly Report[]) => {
    const { movements, doubtful } = settle(all, { ...NOTHING, ...said });
    return {
      movements: sorted(movements),
      asked: doubtful
        .map(
          ({ reports: pair, doubt, sum }) => `${(sum?.pair ?? [...pair].sort()).join()}: ${doubt}`,
        )
        .sort(),
      total: countedIn(movements, all),
    };
  };
  const found = of(reports);
  expect(of([...reports].reverse())).toEqual(found);
  return found;
}

function countedIn(movements: readonly (readonly string[])[], reports: readonly Report[]): number {
  const known = new Map(reports.map((report) => [report.id, report]));
  return movements.reduce((total, ids) => {
    const lead = leadOf(ids.flatMap((id) => known.get(id) ?? []));
    return total + Number(lead.amount);
  }, 0);
}

const order = 'A-100901';
const charges = (...amounts: string[]) =>
  amounts.map((amount, at) => told(`c${at}`, 'stripe', amount, { order, day: at }));

describe('Reports that add up to one', () => {
  test('Instalments of an order count, and the sale that they are of counts nothing', () => {
    const sale = told('sale', 'shop', '300.00', { order });
    const paid = [0, 30, 61].map((day, at) => told(`c${at}`, 'stripe', '100.00', { order, day }));
    const settled = { movements: ['c0,sale', 'c1', 'c2'], asked: [], total: 300 };
    expect(outcome([sale, ...paid])).toEqual(settled);
    const booked = told('booked', BOOKS, '300.00', { order, day: 2 });
    expect(outcome([sale, booked, ...paid])).toEqual({
      ...settled,
      movements: ['booked,c0,sale', 'c1', 'c2'],
    });
    // A fourth month is too far from the sale to be found from it.
    const more = told('c3', 'stripe', '100.00', { order, day: 91 });
    expect(outcome([told('sale', 'shop', '400.00', { order }), ...paid, more])).toMatchObject({
      asked: ['sale,c0: other_amount'],
    });
  });

  test('Until the last one is paid, it is asked', () => {
    const sale = told('sale', 'shop', '300.00', { order });
    expect(outcome([sale, ...charges('100.00')])).toMatchObject({
      ...{ movements: ['c0', 'sale'], asked: ['sale,c0: other_amount'] },
    });
    expect(outcome([sale, ...charges('100.00', '100.00')]).asked).toEqual([
      'sale,c0: other_amount',
    ]);
  });

  test.each(['paypal', 'adyen/eu', 'square'])(
    'Instalments at %s count once a person says that they are of the sale, and so do later ones',
    (source) => {
      const sale = told('sale', 'shop', '300.00', { order });
      const paid = [0, 30, 40].map((day, at) => told(`p${at}`, source, '100.00', { order, day }));
      const two = [sale, ...paid.slice(0, 2)];
      expect(outcome(two)).toMatchObject({ asked: ['sale,p0: other_amount'] });
      const same = [['sale', 'p0'] as const];
      expect(outcome(two, { same }).total).toBe(200);
      expect(outcome([sale, ...paid], { same }).total).toBe(300);
      expect(outcome([sale, ...paid])).toMatchObject({ asked: [], total: 300 });
    },
  );

  test('Refunds of an order add up to what the books have of them as one', () => {
    const refunds = ['-30.00', '-70.00'].map((amount, at) =>
      told(`r${at}`, 'stripe', amount, { order, kind: 'refund', day: 5 + at }),
    );
    const charge = told('charge', 'stripe', '100.00', { order });
    for (const kind of ['refund', 'sale'] as const) {
      const booked = told('booked', BOOKS, '-100.00', { order, kind, day: 7 });
      expect(outcome([charge, ...refunds, booked])).toEqual({
        ...{ movements: ['booked,r0', 'charge', 'r1'], asked: [], total: 0 },
      });
      expect(outcome([charge, ...refunds.slice(1), booked]).asked).toEqual([
        'booked,r1: other_amount',
      ]);
    }
    const sale = told('booked', BOOKS, '100.00', { order, day: 7 });
    expect(outcome([...refunds, sale])).toMatchObject({ movements: ['booked', 'r0', 'r1'] });
  });

  test('Lines of a bank of which nobody said what they are add up to a sale', () => {
    const sale = told('sale', 'shop', '300.00', { order });
    const lines = ['100.00', '200.00'].map((amount, at) =>
      told(`l${at}`, 'bank/main', amount, { order, kind: 'other', day: 2 + at }),
    );
    expect(outcome([sale, ...lines])).toEqual({
      ...{ movements: ['l0,l1,sale'], asked: [], total: 300 },
    });
    // Of any other source, nobody knows what it is.
    const others = lines.map((line) => ({ ...line, source: 'shop2' }));
    expect(outcome([sale, ...others])).toMatchObject({ movements: ['l0', 'l1', 'sale'] });
  });

  test('Several orders in one payment are witnesses of it', () => {
    const orders = ['A-100901', 'A-100902', 'A-100903'];
    const sales = ['60.00', '50.00', '40.00'].map((amount, at) =>
      told(`s${at}`, 'shop', amount, { order: orders[at] ?? '' }),
    );
    for (const named of [orders, orders.join(' '), orders.join(', ')]) {
      const charge = told('charge', 'stripe', '150.00', { order: named });
      expect(outcome([charge, ...sales])).toEqual({
        ...{ movements: ['charge,s0,s1,s2'], asked: [], total: 150 },
      });
    }
    const less = told('charge', 'stripe', '149.00', { order: orders });
    expect(outcome([less, ...sales]).asked).toEqual(['charge,s0,s1,s2: other_amount']);
  });

  test('Several payments of an order that the books have as one count', () => {
    const booked = told('booked', BOOKS, '120.00', { order, day: 3 });
    expect(outcome([booked, ...charges('60.00', '35.00', '25.00')])).toEqual({
      ...{ movements: ['booked,c0', 'c1', 'c2'], asked: [], total: 120 },
    });
  });

  test('What the books split is a witness of the payment', () => {
    const parts = ['60.00', '35.00', '25.00'].map((amount, at) =>
      told(`b${at}`, BOOKS, amount, { order, day: at }),
    );
    expect(outcome([told('charge', 'stripe', '120.00', { order }), ...parts])).toEqual({
      ...{ movements: ['b0,b1,b2,charge'], asked: [], total: 120 },
    });
  });

  test('An order of which a part was paid with a voucher is asked, and so is income beside its tax', () => {
    expect(outcome([told('sale', 'shop', '80.00', { order }), ...charges('30.00')]).asked).toEqual([
      'sale,c0: other_amount',
    ]);
    const booked = told('booked', BOOKS, '100.00', { order });
    expect(outcome([booked, ...charges('119.00')]).asked).toEqual(['c0,booked: other_amount']);
  });

  test('What people said decides: an answer of no ends the question, and one of yes the sum', () => {
    const sale = told('sale', 'shop', '100.00', { order });
    const paid = charges('60.00', '40.00');
    expect(outcome([sale, ...paid], { apart: [['sale', 'c1']] })).toEqual({
      ...{ movements: ['c0', 'c1', 'sale'], asked: [], total: 200 },
    });
    expect(outcome([sale, ...charges('30.00')], { same: [['sale', 'c0']] })).toEqual({
      ...{ movements: ['c0,sale'], asked: [], total: 30 },
    });
    const contradicted: Said['contradicted'] = [['sale', 'c1']];
    expect(outcome([sale, ...paid], { contradicted })).toMatchObject({
      ...{ movements: ['c0', 'c1', 'sale'], asked: ['sale,c0: contradicting_links'] },
    });
  });

  test('Nothing adds up that is of another kind, currency or direction, or names no order', () => {
    const sale = told('sale', 'shop', '100.00', { order });
    const other = (more: Told, amount = '40.00') => told('other', 'stripe', amount, more);
    const rest = charges('60.00');
    for (const one of [
      ...[other({ order, kind: 'fee' }), other({ order, currency: 'USD' }), other({})],
      ...[other({ order, kind: 'refund' }, '-40.00'), other({ order: 'A-100902' })],
    ]) {
      expect(outcome([sale, ...rest, one]).movements).toEqual(['c0', 'other', 'sale']);
    }
  });

  test('A part that is paired with the source of the whole is no part, nor is one with two wholes', () => {
    const sales = [told('s0', 'shop', '100.00', { order }), told('s1', 'shop', '60.00', { order })];
    const paid = charges('60.00', '40.00');
    const { movements, asked } = outcome([...sales, ...paid]);
    expect(movements).toEqual(['c0,s1', 'c1', 's0']);
    expect(asked).toEqual(['s0,c1: other_amount']);
    const two = [told('s0', 'shop', '100.00', { order }), told('s1', 'shop', '90.00', { order })];
    expect(outcome([...two, ...paid]).movements).toEqual(['c0', 'c1', 's0', 's1']);
  });

  test('Orders that are split and merged in any way count what moved', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 });
    const orders = fc.array(
      fc.record({ parts, splits: fc.constantFrom('stripe', 'shop', BOOKS) }),
      {
        ...{ minLength: 1, maxLength: 4 },
      },
    );
    const two = fc.constantFrom(['stripe', 'shop'], ['shop', BOOKS], ['stripe', BOOKS]);
    fc.assert(
      fc.property(orders, two, (drawn, sources) => {
        const reports = drawn.flatMap(({ parts: amounts, splits }, n) => {
          const named = { order: `A-10090${n}` };
          const total = amounts.reduce((sum, amount) => sum + amount, 0);
          return sources.flatMap((source) => {
            const splitter = sources.find((one) => one === splits) ?? sources[0];
            const isSplit = source === splitter;
            return (isSplit ? amounts : [total]).map((amount, at) =>
              told(`${n}-${source}-${at}`, source, `${amount}.00`, { ...named, day: at }),
            );
          });
        });
        const moved = drawn.flatMap(({ parts: amounts }) => amounts);
        const { total, asked } = outcome(reports);
        expect([total, asked]).toEqual([moved.reduce((sum, one) => sum + one, 0), []]);
      }),
      { numRuns: 300 },
    );
  });

  test('They are those that brute force finds', () => {
    const drawn = fc.record({
      source: fc.constantFrom('stripe', 'shop', BOOKS),
      amount: fc.constantFrom('10.00', '20.00', '31.00', '41.00', '51.00'),
      order: fc.subarray(['A-100901', 'A-100902', 'A-100903'], { minLength: 1 }),
      day: fc.constantFrom(0, 20, 40, 60, 80),
    });
    const all = fc
      .array(drawn, { minLength: 2, maxLength: 6 })
      .map((reports) =>
        reports.map(({ source, amount, ...more }, at) => told(`r${at}`, source, amount, more)),
      );
    fc.assert(
      fc.property(all, (reports) => {
        // Where no two are of one amount, no other rule has a say.
        if (new Set(reports.map(({ amount }) => amount)).size < reports.length) return;
        const { doubtful, pairs } = settle(reports, NOTHING);
        const made = [...pairs, ...doubtful].flatMap(({ rule, sum }) =>
          rule === 'sum_by_reference' && sum ? [[...sum.parts, sum.whole].sort().join()] : [],
        );
        expect([...new Set(made)].sort()).toEqual(bruteForce(reports));
      }),
      { numRuns: 1000 },
    );
  });
});

/**
 * All sets of a report and others that are all of their source, or of all sources if they are exactly it, that name its orders, tried
 * one after the other.
 */
function bruteForce(reports: readonly Report[]): string[] {
  const shares = (one: Report, other: Report) =>
    [...one.orders].some((name) => other.orders.has(name));
  const isNear = (one: Report, other: Report) =>
    Math.abs(one.timestamp - other.timestamp) <= 45 * DAY;
  const found = reports.flatMap((whole) => {
    const others = reports.filter((one) => one.source !== whole.source && shares(one, whole));
    const isReached = (one: Report) =>
      isNear(one, whole) ||
      others.some((step) => step.source === one.source && isNear(step, whole) && isNear(one, step));
    const isTheirs = (part: Report) =>
      reports.every((one) => one === whole || one.source !== whole.source || !shares(one, part));
    const sets = subsetsOf(others).flatMap((parts) => {
      const sources = new Set(parts.map(({ source }) => source));
      const isAll = others.every(
        (one) => !sources.has(one.source) || parts.includes(one) === isReached(one),
      );
      const total = parts.reduce((sum, { amount }) => sum + Number(amount), 0);
      const isExact = total === Number(whole.amount);
      const isSum = parts.length > 1 || total < Number(whole.amount);
      const isOfAll = others.every(({ source }) => sources.has(source));
      const isOne = sources.size === 1 || (isOfAll && isExact);
      if (!isAll || !isOne || !parts.every(isTheirs) || !isSum) return [];
      return [{ ids: [whole, ...parts].map(({ id }) => id), isExact, sources }];
    });
    const isAlone = sets.some((one) => one.isExact && one.sources.size === 1);
    const together = sets.filter(({ sources }) => sources.size > 1);
    const alone = sets.filter(({ sources }) => sources.size === 1);
    return together.length > 0 && !isAlone ? together : alone;
  });
  const isExplained = (ids: readonly string[]) =>
    found.some((one) => one.isExact && ids.every((id) => one.ids.includes(id)));
  const left = found.filter(({ ids, isExact }) => isExact || !isExplained(ids));
  return [...new Set(left.map(({ ids }) => ids.sort().join()))].sort();
}

function subsetsOf(reports: readonly Report[]): Report[][] {
  return Array.from({ length: 2 ** reports.length - 1 }, (_none, at) =>
    reports.filter((_one, place) => ((at + 1) >> place) % 2 === 1),
  );
}

describe('Parts of several kinds and sources', () => {
  const line = (id: string, amount: string) =>
    told(id, 'shop', amount, { ...ORDER, kind: 'other' });
  const ORDER = { order: 'S-51001' };

  test('A discount and the shipping of an order are parts of what was paid', () => {
    const reports = [
      told('sale', 'shop', '100.00', ORDER),
      ...[line('discount', '-10.00'), line('shipping', '5.00')],
      told('charge', 'stripe', '95.00', ORDER),
    ];
    const all = ['charge,discount,sale,shipping'];
    expect(outcome(reports)).toEqual({ movements: all, asked: [], total: 95 });
    const booked = told('charge', BOOKS, '95', ORDER);
    expect(outcome([...reports.slice(0, 3), booked])).toMatchObject({ asked: [], total: 95 });
    const late = { ...line('discount', '-10.00'), timestamp: DAY };
    const [sale, , shipping, charge] = reports;
    if (!sale || !shipping || !charge) throw new Error('no reports');
    expect(outcome([sale, late, shipping, charge]).movements).toHaveLength(4);
    const other = told('discount', 'shop', '-10.00', { order: 'S-51002', kind: 'other' });
    expect(outcome([sale, other, shipping, charge]).movements).toHaveLength(4);
  });

  test('Fees of several orders may be one cost in the books, if they are exactly it', () => {
    const of = (amount: string) => [
      told('f0', 'shop', '-1.50', { order: 'S-51001', kind: 'fee' }),
      told('f1', 'shop', '-2.00', { order: 'S-51002', kind: 'fee' }),
      told('cost', BOOKS, amount, { order: ['S-51001', 'S-51002'], kind: 'cost', day: 1 }),
    ];
    expect(outcome(of('-3.50'))).toMatchObject({ movements: ['cost,f0', 'f1'], asked: [] });
    expect(outcome(of('-3.25'))).toMatchObject({ movements: ['cost', 'f0', 'f1'], asked: [] });
    const refunds = of('-3.50').map((one) =>
      one.kind === 'fee' ? { ...one, kind: 'refund' as const } : one,
    );
    expect(outcome(refunds).movements).toEqual(['cost', 'f0', 'f1']);
  });

  test('Parts of two sources are one sum if they are exactly it, whatever leads', () => {
    const whole = told('whole', 'shop', '120.00', ORDER);
    const halves = (one: string, other: string, amount = '50.00') => [
      told('one', one, '70.00', { ...ORDER, day: 1 }),
      told('other', other, amount, { ...ORDER, day: 2 }),
    ];
    expect(outcome([whole, ...halves('stripe', 'bank/main')])).toEqual({
      ...{ movements: ['one,whole', 'other'], asked: [], total: 120 },
    });
    const charge = told('whole', 'mollie', '120.00', ORDER);
    expect(outcome([charge, ...halves('till', 'crm')])).toEqual({
      ...{ movements: ['one,other,whole'], asked: [], total: 120 },
    });
    expect(outcome([whole, ...halves('stripe', 'bank/main', '49.00')]).movements).toHaveLength(3);
  });
});
