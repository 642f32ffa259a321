import { describe, expect, it } from 'vitest';
import { makeBusiness } from '../../../../evaluation/money/business.js';
import { parseCases, readCases } from '../../../../evaluation/money/cases/read.js';
import { eventsOf } from '../../../../evaluation/money/cases/stripe.js';
import { differences, examine } from '../../../../evaluation/money/examine.js';
import { inOrder, shuffled } from '../../../../evaluation/money/feed.js';
import { journalAt } from '../../../../evaluation/money/journal.js';
import { pairKey } from '../../../../evaluation/money/observe.js';
import { joinsOf } from '../../../../evaluation/money/truth.js';

type Payout = { amount: number; parts: { sum: number; difference: number } | null };
type Seen = { id: string; group: string; counted: number; amount: number; currency: string };

const business = makeBusiness({ seed: 7, movements: 400 });
const joins = [...joinsOf(business.movements).values()].flat();
const LATE = Date.UTC(2030, 0, 1);

/** What a service without a fault says. */
function faultless({ movements } = business) {
  const joins = [...joinsOf(movements).values()].flat();
  const reports = new Map<string, Seen>();
  const queue = new Set<string>();
  for (const { id, expected, currency, reports: said } of movements) {
    const [lead] = said.filter(({ isPlanned }) => isPlanned !== true);
    for (const report of said) {
      const group = report.isPlanned === true ? report.key : id;
      const about = { id: report.key, group, amount: report.amount };
      const counted = report === lead ? expected : 0;
      reports.set(report.key, { ...about, currency, counted });
    }
  }
  for (const { one, other, isDoubtful } of joins) {
    for (const first of isDoubtful ? one : []) {
      for (const second of other) queue.add(pairKey(first.key, second.key));
    }
  }
  const payouts = new Map<string, Payout>(
    movements.flatMap(({ payout }) =>
      payout === undefined
        ? []
        : [[payout.id, { amount: payout.net, parts: { sum: payout.net, difference: 0 } }] as const],
    ),
  );
  return { reports, queue, payouts, ...sumsOf(reports), events: reports.size };
}

/** The totals of each currency, which is all that was reported. */
function sumsOf(reports: ReadonlyMap<string, Seen>) {
  const sums = new Map<string, number>();
  for (const { currency, counted } of reports.values()) {
    sums.set(currency, (sums.get(currency) ?? 0) + counted);
  }
  const text = (currency: string, minor: number) => String(minor / (currency === 'JPY' ? 1 : 100));
  const totals = [...sums].map(([currency, minor]) => ({ currency, total: text(currency, minor) }));
  const reported = totals.map(({ currency, total }) => ({
    ...{ currency, counted: total, counted_once: '0', reported: total },
  }));
  return { totals, reported };
}

function seenAs({ reports }: ReturnType<typeof faultless>, key: string): Seen {
  const seen = reports.get(key);
  if (seen === undefined) throw new Error(`nothing is seen of ${key}`);
  return seen;
}

/** Two reports that share a reference, in the movement of which nobody doubts. */
function certain() {
  const found = joins.find(({ hasReference, isDoubtful, one, other }) => {
    const [first, second] = [one[0], other[0]];
    return hasReference && !isDoubtful && first?.amount === second?.amount;
  });
  const [one, other] = [found?.one[0], found?.other[0]];
  if (one === undefined || other === undefined) throw new Error('no pair is certain');
  return { one, other };
}

describe('The business of the evaluation of money', () => {
  it('The same seed makes the same business, another seed another one', () => {
    const text = (seed: number) => JSON.stringify(makeBusiness({ seed, movements: 60 }));
    expect(text(3)).toBe(text(3));
    expect(text(3)).not.toBe(text(4));
  });

  it('Both orders send the same reports, webhook events and last journal', () => {
    const sent = (steps: ReturnType<typeof inOrder>) =>
      steps.map(({ post, event }) => JSON.stringify(post ?? event)).sort();
    const [first, second] = [inOrder(business), shuffled(business, 1)];
    const withoutPolls = (steps: ReturnType<typeof inOrder>) =>
      sent(steps).filter((step) => step !== undefined);
    expect(withoutPolls(second)).toEqual(withoutPolls(first));
    const last = (steps: ReturnType<typeof inOrder>) =>
      journalAt(business.entries, Math.max(...steps.map(({ time = 0 }) => time)));
    expect(last(second)).toBe(last(first));
    expect(last(first)).toBe(journalAt(business.entries, LATE));
  });

  it('Every report of the books is a posting of the last journal', () => {
    const journal = journalAt(business.entries, LATE);
    const vouchers = business.movements
      .flatMap(({ reports }) => reports)
      .filter(({ source }) => source === 'books')
      .map(({ key }) => key.split(' ')[1] ?? '');
    expect(vouchers.filter((voucher) => !journal.includes(`voucher:${voucher}`))).toEqual([]);
    expect(vouchers.length).toBeGreaterThan(100);
  });
});

describe('The examination of a service', () => {
  it('Nothing is found where the service is right', () => {
    const { failures, examples, unexpected } = examine(business, faultless());
    expect({ failures, examples, unexpected }).toEqual({
      ...{ failures: [], examples: [], unexpected: [] },
    });
  });

  it('Nothing is found with a company that orders, pays and books in other ways', () => {
    const marketplace = makeBusiness({ seed: 3, movements: 200, preset: 'marketplace' });
    expect(examine(marketplace, faultless(marketplace)).failures).toEqual([]);
    const categories = new Set(marketplace.movements.map(({ category }) => category));
    expect(categories.size).toBeGreaterThan(20);
  });

  it('A movement that stands in two and counts twice is found', () => {
    const observed = faultless();
    const { one, other } = certain();
    const movement = business.movements.find(({ id }) => id === one.movement);
    for (const { key } of movement?.reports ?? []) {
      observed.reports.set(key, { ...seenAs(observed, key), group: key, counted: one.amount });
    }
    const { total, failures } = examine(business, observed);
    expect(total.missedWith + total.missedWithout).toBeGreaterThan(0);
    expect(total.twice).toBeGreaterThanOrEqual(
      Math.abs(business.toBase(other.amount, other.currency, movement?.at)),
    );
    expect(failures.join()).toContain('Counted twice');
  });

  it('Two movements in one are found, and the money that is missing', () => {
    const observed = faultless();
    const [first, second] = business.movements.filter(
      ({ kind, reports }) => kind === 'sale' && reports.length > 1,
    );
    for (const { key } of second?.reports ?? []) {
      const seen = seenAs(observed, key);
      observed.reports.set(key, { ...seen, group: first?.id ?? '', counted: 0 });
    }
    const { total, failures } = examine(business, observed);
    expect(total.fused).toBeGreaterThan(0);
    expect(total.difference).toBeLessThan(0);
    expect(failures.join()).toContain('Fused');
  });

  it('A doubt that nobody is asked about is found', () => {
    const observed = { ...faultless(), queue: new Set<string>() };
    for (const { other, isDoubtful } of joins) {
      for (const { key } of isDoubtful ? other : []) {
        observed.reports.set(key, { ...seenAs(observed, key), group: key });
      }
    }
    expect(examine(business, observed).failures.join()).toContain('nobody is asked');
  });

  it('A doubt about which somebody is offered another possibility first is asked about', () => {
    const observed = { ...faultless(), queue: new Set<string>() };
    const doubtful = joins.find((join) => join.isDoubtful && !join.hasReference);
    const [one] = doubtful?.one ?? [];
    const [other] = doubtful?.other ?? [];
    const rival = business.movements
      .flatMap(({ reports }) => reports)
      .find(({ source, movement }) => source === one?.source && movement !== one.movement);
    const found = () => examine(business, observed).total;
    observed.reports.set(other?.key ?? '', {
      ...seenAs(observed, other?.key ?? ''),
      group: 'apart',
    });
    const before = found();
    observed.queue.add(pairKey(other?.key ?? '', rival?.key ?? ''));
    expect(found()).toMatchObject({
      unasked: before.unasked - 1,
      offeredLater: before.offeredLater + 1,
    });
  });

  it('A pair that is missed counts twice unless somebody is asked, and is counted as missed all the same', () => {
    const observed = faultless();
    const { one, other } = certain();
    const movement = business.movements.find(({ id }) => id === one.movement);
    for (const { key } of movement?.reports ?? []) {
      observed.reports.set(key, { ...seenAs(observed, key), group: key, counted: one.amount });
    }
    const before = examine(business, observed).total;
    for (const { key } of movement?.reports ?? []) {
      for (const mate of movement?.reports ?? []) observed.queue.add(pairKey(key, mate.key));
    }
    const after = examine(business, observed).total;
    expect(other.key).not.toBe(one.key);
    expect(after.missedWith).toBe(before.missedWith);
    expect([before.waiting, after.waiting]).toEqual([
      expect.any(Number),
      before.waiting + before.twice,
    ]);
    expect([before.twice > 0, after.twice]).toEqual([true, 0]);
  });

  it('A doubt that stands in the queue is no fault, whatever its sign', () => {
    const observed = faultless();
    for (const { one, other } of joins.filter(({ isDoubtful }) => isDoubtful)) {
      const counted = business.movements.find(({ id }) => id === one[0]?.movement)?.expected ?? 0;
      for (const { key } of other) {
        observed.reports.set(key, { ...seenAs(observed, key), group: 'apart', counted: 0 });
      }
      const [{ key } = { key: '' }] = other;
      observed.reports.set(key, { ...seenAs(observed, key), group: key, counted });
    }
    const { total } = examine(business, observed);
    expect(total.waiting).toBeGreaterThan(0);
    expect(total).toMatchObject({ twice: 0, difference: 0, unasked: 0 });
  });

  it('A report without an event, and an event without a report, are found', () => {
    const observed = faultless();
    const { key } = certain().one;
    const about = seenAs(observed, key);
    observed.reports.delete(key);
    observed.reports.set('unknown', { ...about, counted: 100 });
    const { failures } = examine(business, observed);
    expect(failures.join()).toContain('Reports without an event: 1');
    expect(failures.join()).toContain('Events of money that never moved: 1');
  });

  it('A line of the bank or a part that is a cent off is found, and a payout that counts', () => {
    const [payout] = business.movements.filter((movement) => movement.payout !== undefined);
    const [atStripe, atBank] = payout?.reports.map(({ key }) => key) ?? [];
    const { id = '', net = 0 } = payout?.payout ?? {};
    const off = (change: (observed: ReturnType<typeof faultless>) => void) => {
      const observed = faultless();
      change(observed);
      return examine(business, observed).failures.join();
    };
    const alter = (key: string | undefined, change: Partial<Seen>) =>
      off((observed) => {
        observed.reports.set(key ?? '', { ...seenAs(observed, key ?? ''), ...change });
      });
    expect(alter(atBank, { amount: net + 1 })).toContain('Bank');
    expect(alter(atStripe, { counted: net })).toContain('Bank');
    const parts = { sum: net - 1, difference: 1 };
    expect(off(({ payouts }) => payouts.set(id, { amount: net, parts }))).toContain('Payouts');
    expect(off(({ payouts }) => payouts.delete(id))).toContain('Payouts');
  });

  it('A line that is missing in the sum of all that was reported is found', () => {
    const observed = faultless();
    observed.reported = observed.reported.map((lines) => ({ ...lines, counted_once: '1' }));
    expect(examine(business, observed).failures.join()).toContain('do not add up');
  });

  it('A pair that depends on the order is found', () => {
    const other = faultless();
    const { one } = certain();
    other.reports.set(one.key, { ...seenAs(other, one.key), group: 'elsewhere' });
    expect(differences(faultless(), faultless())).toEqual([]);
    expect(differences(faultless(), other)).toContain(one.key);
  });

  it('A small case is what its text says, and every kept one can be read', () => {
    const text = [
      '# A charge, and its refund',
      '> 80 or 79.50 EUR, 2 movements, may ask',
      'shop sale 100.00 EUR 2025-06-01 #"A 1" "in words" {"customer_id":"C-1"}',
      'stripe charge 100.00 EUR 2025-06-01T10:00:00Z @a',
      'stripe refund 20.00 EUR 2025-06-05 @a',
      '2025-06-01 (A-1) Sale',
      '    income:sales  -100 EUR',
      '    assets:stripe',
    ].join('\n');
    const [one] = parseCases(text);
    expect(one).toMatchObject({
      ...{ title: 'A charge, and its refund', right: { EUR: [80, 79.5] }, movements: 2 },
      ...{ mayAsk: true, journal: text.split('\n').slice(-3).join('\n') },
    });
    expect(one?.said[0]).toEqual({
      ...{ source: 'shop', type: 'sale', amount: '100.00', currency: 'EUR', id: 'A 1' },
      ...{ timestamp: '2025-06-01T12:00:00Z', description: 'in words' },
      metadata: { customer_id: 'C-1' },
    });
    expect(eventsOf(one?.said ?? []).map(({ type }) => type)).toEqual([
      ...['charge.succeeded', 'refund.created', 'charge.refunded'],
    ]);
    const titles = readCases().map(({ title, said }) => [title, eventsOf(said).length]);
    expect(new Set(titles.map(([title]) => title)).size).toBe(titles.length);
  });
});
