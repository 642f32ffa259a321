import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOf } from '#server/domains/record/movements/rules/clock';
import {
  isAdded,
  mayBeAll,
  reachOf,
  statedTotals,
  type Total,
  totalsFor,
} from '#server/domains/record/movements/rules/periods';
import { type Judged, type Report, reportOf } from '#server/domains/record/movements/rules/report';

const at = (text: string): number => Date.parse(text);
/** Days since 1970-01-01. */
const day = (text: string): number => at(`${text}T00:00:00Z`) / 86_400_000;

interface Told extends Partial<Pick<Judged, 'kind' | 'isOwn' | 'sign'>> {
  readonly source?: string;
  readonly currency?: string;
}

function told(amount: string, more: Told = {}): Report {
  const { source = 'accounting/main', currency = 'EUR', kind = 'sale', isOwn = false } = more;
  const { sign = amount.startsWith('-') ? -1 : 1 } = more;
  const row = { event_id: 'whole', source, amount, currency, external_id: null, description: null };
  return reportOf(
    { ...row, timestamp: 0, metadata: {} },
    {
      ...{ kind, isOwn, sign, worth: null, customerKey: 'customer_id', carriers: null },
      ...{ span: { earliest: 0, latest: 0 }, repeats: [] },
    },
  );
}

/** A total of a period. @param days the first and the last one; one for a day */
function total(amount: string, days: readonly string[], more: Partial<Total> = {}): Total {
  const [first = '', last = first] = days;
  const unit = days.length < 2 ? 'day' : day(last) - day(first) === 6 ? 'week' : 'month';
  return {
    ...{ unit, first: day(first), last: day(last), amount, source: 'stripe', currency: 'EUR' },
    ...{ kind: 'sale', sign: 1, count: 3 },
    ...more,
  };
}

/** What is asked: source, count, and the first day. */
const asked = (whole: Report, on: string, totals: readonly Total[]) =>
  totalsFor(whole, day(on), statedTotals(totals)).map(
    ({ source, count, unit, first }) => `${source} ${count} ${unit} ${first - day(on)}`,
  );

const JUNE = ['2025-06-01', '2025-06-30'];
const WEEK = ['2025-06-02', '2025-06-08'];

describe('A report of all of a period', () => {
  test('It states the total of another source to the cent, in one kind, direction and currency', () => {
    const totals = [total('300.10', ['2025-06-03'])];
    expect(asked(told('300.1'), '2025-06-03', totals)).toEqual(['stripe 3 day 0']);
    expect(asked(told('300.11'), '2025-06-03', totals)).toEqual([]);
    expect(asked(told('300.10', { currency: 'USD' }), '2025-06-03', totals)).toEqual([]);
    expect(asked(told('-300.10'), '2025-06-03', totals)).toEqual([]);
    expect(asked(told('300.10', { kind: 'fee' }), '2025-06-03', totals)).toEqual([]);
    expect(asked(told('300.10', { source: 'stripe' }), '2025-06-03', totals)).toEqual([]);
  });

  test('Yen and dinars, refunds and fees are compared alike, and books may call a refund a sale that was taken back', () => {
    const yen = total('4000', WEEK, { currency: 'JPY', sign: -1, kind: 'refund', count: 2 });
    expect(asked(told('-4000', { currency: 'JPY' }), '2025-06-09', [yen])).toEqual([
      'stripe 2 week -7',
    ]);
    const fees = total('7.125', JUNE, { currency: 'KWD', sign: -1, kind: 'fee' });
    const bill = told('-7.1250', { currency: 'KWD', kind: 'cost' });
    expect(asked(bill, '2025-07-03', [fees])).toEqual(['stripe 3 month -32']);
    expect(asked(told('-7.125', { currency: 'KWD' }), '2025-07-03', [fees])).toEqual([]);
  });

  test('One report is no sum of a period', () => {
    expect(asked(told('50'), '2025-06-03', [total('50', ['2025-06-03'], { count: 1 })])).toEqual(
      [],
    );
  });

  test('It comes within the period or soon after it: four days after a day or a week, and after a month in the next one', () => {
    const on = (unit: Total, ...days: readonly string[]) =>
      days.map((one) => asked(told('10'), one, [unit]).length);
    const single = total('10', ['2025-06-10']);
    expect(on(single, '2025-06-08', '2025-06-09', '2025-06-14', '2025-06-15')).toEqual([
      0, 1, 1, 0,
    ]);
    const week = total('10', WEEK);
    expect(on(week, '2025-05-31', '2025-06-01', '2025-06-12', '2025-06-13')).toEqual([0, 1, 1, 0]);
    const month = total('10', JUNE);
    expect(on(month, '2025-05-30', '2025-05-31', '2025-08-14', '2025-08-15')).toEqual([0, 1, 1, 0]);
  });

  test('Sales are compared less their fees or costs too, but only if there is one of each of them', () => {
    const fees = (count: number) => total('9.00', WEEK, { kind: 'fee', sign: -1, count });
    const sales = total('300', WEEK);
    expect(asked(told('291'), '2025-06-09', [sales, fees(3)])).toEqual(['stripe 3 week -7']);
    expect(asked(told('300'), '2025-06-09', [sales, fees(3)])).toEqual(['stripe 3 week -7']);
    expect(asked(told('291'), '2025-06-09', [sales, fees(2)])).toEqual([]);
    expect(asked(told('291'), '2025-06-09', [sales])).toEqual([]);
    const others = { ...fees(3), source: 'shop' };
    expect(asked(told('291'), '2025-06-09', [sales, others])).toEqual([]);
    const costs = total('12.00', WEEK, { kind: 'cost', sign: -1 });
    const all = [sales, fees(3), costs];
    expect(asked(told('288'), '2025-06-09', all)).toEqual(['stripe 3 week -7']);
    expect(asked(told('279'), '2025-06-09', all)).toEqual([]);
    const more = total('301', WEEK, { kind: 'fee', sign: -1 });
    expect(asked(told('1'), '2025-06-09', [sales, more])).toEqual([]);
  });

  test('Of a total that is the same in a day, its week and its month, the day is told, and two sources are two questions', () => {
    const same = [total('80', JUNE), total('80', WEEK), total('80', ['2025-06-04'])];
    expect(asked(told('80'), '2025-06-04', same)).toEqual(['stripe 3 day 0']);
    const shop = total('80', WEEK, { source: 'shop', count: 5 });
    expect(asked(told('80'), '2025-06-04', [...same, shop])).toEqual([
      'stripe 3 day 0',
      'shop 5 week -2',
    ]);
    const more = total('80', JUNE, { count: 4 });
    expect(asked(told('80'), '2025-06-04', [more, total('80', WEEK)])).toHaveLength(2);
  });

  test('Money between own accounts, and what did not move, is neither a sum nor a part of one', () => {
    for (const one of [told('5', { isOwn: true }), told('5', { sign: 0 })]) {
      expect([isAdded(one), mayBeAll(one)]).toEqual([false, false]);
    }
    const line = told('5', { source: 'bank/main', kind: 'other' });
    expect([isAdded(line), isAdded({ ...line, isOwn: true }), mayBeAll(line)]).toEqual([
      ...[true, false, true],
    ]);
    expect(isAdded({ ...line, source: 'billing' })).toBe(false);
    expect([isAdded(told('5')), mayBeAll(told('5', { kind: 'dispute' }))]).toEqual([true, false]);
  });

  test('All periods that a report may be the sum of are within the days that are read, which are whole months', () => {
    fc.assert(
      fc.property(fc.integer({ min: -30_000, max: 60_000 }), (one) => {
        const [from, until] = reachOf(one);
        const dates = [from, until + 1].map((edge) => new Date(edge * 86_400_000).getUTCDate());
        expect(dates).toEqual([1, 1]);
        // A month that ended 45 days before, and a week that begins a day later.
        const ended = new Date((one - 45) * 86_400_000);
        expect(from).toBeLessThanOrEqual(
          Date.UTC(ended.getUTCFullYear(), ended.getUTCMonth(), 1) / 86_400_000,
        );
        const begins = new Date((one + 1) * 86_400_000);
        expect(until).toBeGreaterThanOrEqual(
          Math.max(
            one + 7,
            Date.UTC(begins.getUTCFullYear(), begins.getUTCMonth() + 1, 1) / 86_400_000 - 1,
          ),
        );
      }),
      { seed: 2026 },
    );
  });
});

describe('The day of a report', () => {
  test('It is that of its source, or of the time zone of days where the source states instants', () => {
    const late = at('2025-06-30T23:30:00Z');
    expect(dayOf(null, late, 'UTC')).toBe(day('2025-06-30'));
    expect(dayOf(null, late, 'Europe/Berlin')).toBe(day('2025-07-01'));
    expect(dayOf(null, at('2025-12-31T23:30:00Z'), 'Europe/Berlin')).toBe(day('2026-01-01'));
    expect(dayOf(null, at('2025-06-01T03:30:00Z'), 'America/New_York')).toBe(day('2025-05-31'));
    expect(dayOf(null, at('2025-06-01T18:20:00Z'), 'Asia/Kathmandu')).toBe(day('2025-06-02'));
    const days = { time_zone: 'America/New_York', whole_days: true };
    expect(dayOf(days, at('2025-06-01T00:00:00Z'), 'Europe/Berlin')).toBe(day('2025-06-01'));
    const local = { time_zone: 'America/New_York', whole_days: false };
    expect(dayOf(local, at('2025-06-01T23:59:00Z'), 'UTC')).toBe(day('2025-06-01'));
    expect(dayOf(null, at('1969-12-31T12:00:00Z'), 'UTC')).toBe(-1);
  });
});
