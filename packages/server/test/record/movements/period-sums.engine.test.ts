import { Pnl } from '@decision-ledger/contract/analytics';
import { FinancialEvent, Movement, ReportedEvent } from '@decision-ledger/contract/financial-event';
import { SameMoneyPage } from '@decision-ledger/contract/same-money';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { runs } from '../../../../proof/test/support/runs.js';
import { type Client, dataOf } from '../../support/client.js';
import { describeEngine } from '../../support/engine.js';
import { followLogs } from '../../support/followers.js';
import { event, recordEvent } from '../../support/money.js';
import { openTestService, scopeOf, type TestService } from '../../support/service.js';

type Fields = Readonly<Record<string, unknown>>;

const BOOKS = { source: 'accounting/main', event_type: 'revenue', currency: 'USD' };
const CHARGE = { source: 'stripe', event_type: 'charge', currency: 'USD' };
const FEE = { source: 'stripe', event_type: 'fee', currency: 'USD' };

/** Noon of a day of March 2026, which begins with a Sunday; others have a time. */
const on = (day: number, time = '12:00:00') =>
  new Date(Date.parse(`2026-03-01T${time}Z`) + (day - 1) * 86_400_000).toISOString();
const charge = (amount: string, day: number, time?: string) => ({
  ...{ ...CHARGE, amount, timestamp: on(day, time), external_id: `ch_${amount}_${day}` },
});
const booking = (amount: string, day: number) => ({
  ...{ ...BOOKS, amount, timestamp: on(day, '00:00:00'), external_id: `J ${day}` },
});

describeEngine((engine) => {
  let bed: TestService;
  let client: Client;

  beforeAll(async () => {
    bed = await openTestService(engine);
  });
  beforeEach(async () => {
    client = (await bed.organisation()).live;
  });
  afterAll(() => bed.close());

  const record = async (fields: Fields) =>
    (await recordEvent(client, { metadata: {}, ...fields })).id;
  const recordAll = async (...all: readonly Fields[]) => {
    const ids: string[] = [];
    for (const fields of all) ids.push(await record(fields));
    return ids;
  };
  const follow = async () => {
    const { ledgerId } = await scopeOf(bed, client);
    await followLogs(bed.service, [ledgerId]);
  };
  const queue = async () => {
    const page = await client.get('/movements/same-money?limit=100');
    return dataOf(page, SameMoneyPage).reports;
  };
  /** The sums that are asked about: the whole, how many parts of which days, and what to pair. */
  const sums = async () =>
    (await queue()).flatMap(({ report, possible }) =>
      possible.flatMap(({ sum, rule }) => {
        if (rule !== 'sum_of_period' || sum?.period === undefined) return [];
        const { count, from, to } = sum.period;
        return [{ whole: report.id, days: `${from} ${to}`, count, reports: sum.reports }];
      }),
    );
  const totalOf = async () => dataOf(await client.get('/analytics/ai-pnl'), Pnl).total;
  const ledger = async () => bed.service.db.ledger(await scopeOf(bed, client));
  async function expectConsistent(): Promise<void> {
    const { findings } = await reconcileWithHistory(await ledger());
    expect(findings).toEqual([]);
    expect(await storedTotals()).toEqual(await summedTotals());
  }
  const inLedger = async () => (await scopeOf(bed, client)).ledgerId;
  /** What is stored of days that have reports. */
  const storedTotals = async () =>
    bed.service.db.query(sql`
      select currency, day, source, kind, sign, count, trim_scale(amount)::text as amount
      from period_totals where ledger_id = ${await inLedger()} and (count <> 0 or amount <> 0)
      order by 1, 2, 3, 4, 5`);
  /** The same of the live events that count by themselves; recorded days are those of UTC. */
  const summedTotals = async () =>
    bed.service.db.query(sql`
      select e.currency, a.day, e.source, a.kind, a.sign, count(*)::integer as count,
        trim_scale(sum(abs(e.amount)))::text as amount
      from financial_events e
      join added_reports a on a.ledger_id = ${await inLedger()} and a.event_id = e.event_id
      where e.ledger_id = ${await inLedger()} and e.deleted_at is null
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`);

  describe('A posting of all sales of a day', () => {
    const DAY = [charge('19.90', 10), charge('30.00', 10, '09:00:00'), charge('50.10', 10)];

    it('It is asked about as one question, one answer lets the sales count alone, and one takes it back', async () => {
      const [, first = ''] = await recordAll(...DAY);
      const whole = await record(booking('100.00', 11));
      await follow();
      expect(await totalOf()).toBe('200.00');
      const question = { whole, days: '2026-03-10 2026-03-10', count: 3, reports: [whole, first] };
      expect(await sums()).toEqual([question]);
      const [asked] = await queue();
      expect(asked?.possible).toMatchObject([
        { doubt: 'no_reference', sum: { amount: '100', whole, parts: [{ id: first }, {}, {}] } },
      ]);
      await expectConsistent();
      const reports = [whole, first];
      dataOf(await client.post('/movements/pair', { reports }), Movement);
      expect([await totalOf(), await sums()]).toEqual(['100.00', []]);
      await follow();
      expect([await totalOf(), await sums()]).toEqual(['100.00', []]);
      dataOf(await client.post('/movements/withdraw', { reports }), Movement);
      expect([await totalOf(), await sums()]).toEqual(['200.00', [question]]);
      dataOf(await client.post('/movements/part', { report: whole, from: first }), Movement);
      expect([await totalOf(), await sums()]).toEqual(['200.00', []]);
      await expectConsistent();
    });

    it('A late sale ends the question, and its deletion brings it back', async () => {
      const whole = await record(booking('100.00', 11));
      await recordAll(...DAY);
      await follow();
      expect(await sums()).toMatchObject([{ whole, count: 3 }]);
      const late = await record(charge('0.01', 10, '23:59:00'));
      await follow();
      expect(await sums()).toEqual([]);
      expect(await queue()).toEqual([]);
      await client.delete(`/financial-events/${late}`);
      await follow();
      expect(await sums()).toMatchObject([{ whole, count: 3 }]);
      await expectConsistent();
    });

    it('Nothing is asked if the books have most of the sales too, until one of these is deleted', async () => {
      const whole = await record(booking('100.00', 11));
      const [late = '', early = ''] = await recordAll(...DAY);
      await follow();
      const question = { whole, count: 3 };
      expect(await sums()).toMatchObject([{ ...question, reports: [whole, early] }]);
      const single = await record({ ...booking('30.00', 10), external_id: 'J 30' });
      await follow();
      // What the books have by itself is not what the sum is paired with.
      expect(await sums()).toMatchObject([{ ...question, reports: [whole, late] }]);
      await record({ ...booking('19.90', 10), external_id: 'J 19' });
      await follow();
      expect(await sums()).toEqual([]);
      await client.delete(`/financial-events/${single}`);
      await follow();
      expect(await sums()).toMatchObject([{ ...question, reports: [whole, early] }]);
      await expectConsistent();
    });

    it('The day is that of the time zone of the settings, and of the clock of the source', async () => {
      await recordAll(charge('20.00', 10, '22:30:00'), charge('80.00', 10, '23:30:00'));
      await recordAll(charge('7.00', 10, '08:00:00'));
      const whole = await record(booking('100.00', 11));
      await follow();
      expect(await sums()).toEqual([]);
      const zone = (time_zone: string) => client.patch('/settings', { attribution: { time_zone } });
      await zone('Asia/Tokyo');
      await follow();
      // In Tokyo, all of it was on the 11th, but for the sale of the morning.
      expect(await sums()).toMatchObject([{ whole, days: '2026-03-11 2026-03-11', count: 2 }]);
      await expectConsistent();
      const profiles = [
        { name: 'Days', source: 'stripe', clock: { time_zone: 'Asia/Tokyo', whole_days: true } },
      ];
      await client.patch('/settings', { attribution: { profiles } });
      await follow();
      expect(await sums()).toEqual([]);
      await client.patch('/settings', { attribution: { profiles: [] } });
      await follow();
      expect(await sums()).toMatchObject([{ whole, count: 2 }]);
      await expectConsistent();
    });
  });

  it('A month of many sales shows how many they are and the first of them, and a bill of its fees is asked too', async () => {
    const days = Array.from({ length: 130 }, (_none, n) => 1 + (n % 31));
    for (const [n, day] of days.entries()) {
      const time = `10:${String(n % 60).padStart(2, '0')}:00`;
      await record({ ...charge('2.50', day, time), external_id: `ch_${n}` });
      await record({ ...FEE, amount: '-0.25', timestamp: on(day, time), external_id: `fe_${n}` });
    }
    const month = await record(booking('325.00', 31));
    const bill = await record({
      ...{ source: 'bank/main', event_type: 'debit', amount: '-32.50', currency: 'USD' },
      timestamp: '2026-04-03T00:00:00Z',
    });
    await follow();
    const found = await queue();
    expect(found.map(({ report }) => report.id)).toEqual([bill, month]);
    const described = found.map(({ possible }) =>
      possible.map(({ sum }) => [sum?.amount, sum?.period, sum?.parts.length, sum?.reports.length]),
    );
    const period = { count: 130, from: '2026-03-01', to: '2026-03-31' };
    expect(described[1]).toEqual([['325', period, 12, 2]]);
    expect(described[0]).toEqual([['32.5', period, 12, 2]]);
    await expectConsistent();
  });

  it('A bill of the fees of a month is asked about although the books have one of them by itself', async () => {
    const fee = (amount: string, day: number) => ({
      ...{ ...FEE, amount, timestamp: on(day), external_id: `txn_${day}` },
    });
    const disputed = { ...fee('-15.00', 20), metadata: { order: 'A-100700' } };
    const [first = ''] = await recordAll(fee('-0.59', 4), fee('-0.41', 9), disputed);
    const cost = { ...BOOKS, event_type: 'expense' };
    await record({ ...cost, amount: '-15.00', timestamp: on(22), external_id: 'A-100700' });
    const bill = await record({
      ...cost,
      amount: '-16.00',
      timestamp: on(31),
      external_id: 'J 31',
    });
    await follow();
    expect(await sums()).toMatchObject([{ whole: bill, count: 3, reports: [bill, first] }]);
    dataOf(await client.post('/movements/pair', { reports: [bill, first] }), Movement);
    expect([await totalOf(), await sums()]).toEqual(['-16.00', []]);
    await expectConsistent();
  });

  it('A line of a bank for postings of one day leads them: all of them are paired by one answer', async () => {
    const pay = { ...BOOKS, event_type: 'expense' };
    const parts = await recordAll(
      ...['-1200.00', '-1350.50', '-990.25'].map((amount, n) => ({
        ...{ ...pay, amount, timestamp: on(25 - n, '00:00:00'), external_id: `Pay ${n}` },
      })),
    );
    const whole = await record({
      ...{ source: 'bank/main', event_type: 'debit', amount: '-3540.75', currency: 'USD' },
      timestamp: on(23, '00:00:00'),
    });
    await follow();
    const [question] = await sums();
    expect(question).toMatchObject({ whole, count: 3, days: '2026-03-23 2026-03-29' });
    const reports = question?.reports ?? [];
    expect([...reports].sort()).toEqual([whole, ...parts].sort());
    dataOf(await client.post('/movements/pair', { reports }), Movement);
    expect(await totalOf()).toBe('-3540.75');
    dataOf(await client.post('/movements/withdraw', { reports }), Movement);
    expect(await totalOf()).toBe('-7081.50');
    await expectConsistent();
  });

  it('Lines of a bank for one posting are asked about as one sum, until another line of their day comes', async () => {
    const line = (amount: string, description: string) => ({
      ...{ source: 'bank/main', event_type: 'debit', amount, currency: 'USD', description },
      timestamp: on(25, '00:00:00'),
    });
    const [first = ''] = await recordAll(
      ...[line('-2000.00', 'Wages'), line('-500.00', 'Tax office'), line('-300.00', 'Insurance')],
    );
    const paid = { ...BOOKS, event_type: 'expense', amount: '-2800.00' };
    const whole = await record({ ...paid, timestamp: on(26, '00:00:00'), external_id: 'Pay' });
    await follow();
    const question = { whole, count: 3, reports: [whole, first] };
    expect(await sums()).toMatchObject([question]);
    await record({ ...line('-40.00', 'Payout'), event_type: 'payout' });
    await follow();
    expect(await sums()).toMatchObject([question]);
    const rent = await record(line('-900.00', 'Rent'));
    await follow();
    expect(await sums()).toEqual([]);
    await client.delete(`/financial-events/${rent}`);
    await follow();
    expect(await sums()).toMatchObject([question]);
    await expectConsistent();
  });

  it('Postings of one transaction are one sum, with its tax, while all of them are alone', async () => {
    const transaction = { currency: 'USD', total: '119.00', untaxed: '100.00', tax: '19.00' };
    const posted = (amount: string, account: string) => ({
      ...{ ...booking(amount, 11), metadata: { account, transaction } },
    });
    const postings = (
      await recordAll(posted('60.00', 'income:goods'), posted('40.00', 'income:shipping'))
    ).sort();
    const [first = ''] = await recordAll(charge('50.00', 10), charge('69.00', 10, '13:00:00'));
    await follow();
    const reports = [...postings, first];
    const [whole = ''] = postings;
    const question = { whole, days: '2026-03-10 2026-03-10', count: 2, reports };
    expect([await totalOf(), await sums()]).toEqual(['219.00', [question]]);
    dataOf(await client.post('/movements/pair', { reports }), Movement);
    expect([await totalOf(), await sums()]).toEqual(['119.00', []]);
    await expectConsistent();
    dataOf(await client.post('/movements/withdraw', { reports }), Movement);
    expect([await totalOf(), await sums()]).toEqual(['219.00', [question]]);
    await client.delete(`/financial-events/${postings[1]}`);
    await follow();
    expect(await sums()).toEqual([]);
    await expectConsistent();
  });

  /** Two processors, two currencies, gaps, refunds as one sum, the net of a week, and what is the same by chance. */
  const REPORTS: readonly Fields[] = [
    ...[charge('10.00', 3), charge('20.00', 3, '13:00:00'), charge('5.00', 5), charge('65.00', 11)],
    ...[booking('30.00', 4), booking('100.00', 31), booking('70.00', 12)],
    { ...FEE, amount: '-1.00', timestamp: on(3), external_id: 'f1' },
    { ...FEE, amount: '-1.00', timestamp: on(3), external_id: 'f2' },
    { ...FEE, amount: '-1.00', timestamp: on(5), external_id: 'f3' },
    { ...charge('40.00', 4), source: 'paypal', event_type: 'PAYMENT.CAPTURE.COMPLETED' },
    { ...charge('2.00', 4, '14:00:00'), source: 'paypal', event_type: 'PAYMENT.CAPTURE.COMPLETED' },
    { ...booking('42.00', 8), external_id: 'J P' },
    { ...charge('8000', 6), currency: 'JPY' },
    { ...charge('500', 6, '15:00:00'), currency: 'JPY' },
    { ...booking('8500', 7), currency: 'JPY' },
    { ...charge('-3.00', 20), event_type: 'refund' },
    { ...charge('-4.00', 21), event_type: 'refund' },
    { ...booking('-7.00', 22), event_type: 'expense' },
    {
      source: 'bank/main',
      event_type: 'credit',
      amount: '32.00',
      currency: 'USD',
      timestamp: on(9),
    },
    // The books have one of two sales by itself too.
    ...[charge('15.00', 13), charge('25.00', 13, '14:00:00'), booking('40.00', 14)].map((one) => ({
      ...{ ...one, currency: 'CHF' },
    })),
    { ...booking('15.00', 13), currency: 'CHF', external_id: undefined },
  ].map((one) => event({ metadata: {}, ...one }));

  async function told(order: readonly number[], dice: () => number) {
    client = (await bed.organisation()).live;
    const places = new Map<string, number>();
    const send = async (at: number) => {
      const answer = await client.post('/financial-events', REPORTS[at] ?? {});
      places.set(dataOf(answer, FinancialEvent, 201).id, at);
    };
    for (const at of order) {
      await send(at);
      // What was recorded by mistake, and deleted before or after it was compared.
      if (dice() % 4 === 0) {
        const mistake = await record(
          dice() % 2 === 0
            ? charge(`${1 + (dice() % 9)}.00`, 3 + (dice() % 9))
            : { ...booking('20.00', 3), external_id: undefined },
        );
        if (dice() % 2 === 0) await follow();
        await client.delete(`/financial-events/${mistake}`);
      }
      if (dice() % 3 === 0) await follow();
    }
    await follow();
    await expectConsistent();
    const asked = (await sums()).map(
      ({ whole, days, count, reports }) =>
        `${places.get(whole)} ${days} ${count} ${reports.map((id) => places.get(id))}`,
    );
    const queued = (await queue()).map(({ report }) => places.get(report.id));
    return { asked: asked.sort(), queued: queued.sort() };
  }

  it('The same reports in any order, with mistakes in between, ask the same', async () => {
    const all = REPORTS.map((_one, at) => at);
    const due = await told(all, () => 1);
    expect(due.asked).toEqual([
      '12 2026-03-04 2026-03-04 2 12,10',
      '15 2026-03-06 2026-03-06 2 15,13',
      '18 2026-03-16 2026-03-22 2 18,16',
      '19 2026-03-02 2026-03-08 3 19,0',
      '4 2026-03-03 2026-03-03 2 4,0',
      '5 2026-03-01 2026-03-31 4 5,0',
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(all, { minLength: all.length }),
        fc.infiniteStream(fc.nat()),
        async (order, dice) => {
          expect(await told(order, () => dice.next().value)).toEqual(due);
        },
      ),
      { seed: 2026, numRuns: runs(12), endOnFailure: true },
    );
  }, 600_000);

  it('What is paired already, and what a person says is the same, is not asked again', async () => {
    const [, one = ''] = await recordAll(charge('10.00', 3), charge('20.00', 3, '08:00:00'));
    const shop = await record({ ...charge('30.00', 4), source: 'shop', event_type: 'sale' });
    const whole = await record({ ...booking('30.00', 4), external_id: undefined });
    await follow();
    // The sale of the shop has the amount and the day.
    const { movement } = dataOf(await client.get(`/financial-events/${whole}`), ReportedEvent);
    expect(movement.reports).toEqual([shop, whole].sort());
    expect(await sums()).toEqual([]);
    await client.delete(`/financial-events/${shop}`);
    await follow();
    expect(await sums()).toMatchObject([{ whole, reports: [whole, one] }]);
    await expectConsistent();
  });
});
