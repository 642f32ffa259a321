import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearestTo } from '#server/domains/record/movements/rules/late';
import type { Report } from '#server/domains/record/movements/rules/report';
import { BOOKS, told } from './support/told.js';

const HOUR = 1 / 24;
const asked = (posting: Report, ...reports: Report[]) =>
  nearestTo(posting, reports, 3).map(({ id }) => id);

/** A charge of which a fee leaves another amount. */
const charged = (id: string, day: number, [amount, net]: readonly [string, string]) =>
  told(id, 'stripe', amount, { day, metadata: { stripe_net: `${net} EUR` } });

test('Events of the day of a posting come before those of the evening before', () => {
  const posting = told('posting', BOOKS, '45.00', { day: 10 });
  const evening = [21, 22, 23].map((hour) =>
    told(`evening ${hour}`, 'stripe', '45.00', { day: 9 + hour * HOUR }),
  );
  const late = told('late', 'stripe', '45.00', { day: 10 + 23 * HOUR });
  expect(asked(posting, ...evening, late)).toEqual(['late', 'evening 23', 'evening 22']);
});

test.each([
  ['1.4 % and 0.25', '19.90', '19.37'],
  ['2.9 % and 0.30', '104.00', '100.68'],
  ['a third', '9.00', '6.00'],
])('What a fee of %s left of other sales does not hide the sale of an amount', (_fee, ...other) => {
  const posting = told('posting', BOOKS, other[1], { day: 10 });
  const others = [0, 1, 2, 3].map((n) => charged(`other ${n}`, 10 + n * HOUR, other));
  const sale = charged('sale', 4, [other[1], '1.00']);
  expect(asked(posting, ...others, sale)).toEqual(['sale', 'other 0', 'other 1']);
});

test('Sales of an amount do not hide the one of which a fee left it', () => {
  const posting = told('posting', BOOKS, '96.80', { day: 10 });
  const sales = [0, 1, 2, 3].map((n) => charged(`sale ${n}`, 10 + n * HOUR, ['96.80', '94.00']));
  const left = charged('left', 25, ['100.00', '96.80']);
  expect(asked(posting, ...sales, left)).toEqual(['sale 0', 'left', 'sale 1']);
});

test('A crowd of one source does not hide the only event of another one', () => {
  const posting = told('posting', BOOKS, '12.00', { day: 10 });
  const crowd = Array.from({ length: 60 }, (_none, n) =>
    told(`charge ${String(n).padStart(2, '0')}`, 'stripe', '12.00', { day: 10 + n / 100 }),
  );
  const counter = told('counter', 'shop', '12.00', { day: 10.9 });
  expect(asked(posting, ...crowd, counter)).toEqual(['charge 00', 'counter', 'charge 01']);
});

test('An amount that was settled in another currency is one of which less or more was left', () => {
  const posting = told('posting', BOOKS, '50.00', { day: 10 });
  const foreign = { ...told('foreign', 'stripe', '54.00', { day: 12 }), currency: 'USD' };
  const settled = { ...foreign, sums: new Set(['54 USD', '50 EUR']) };
  const sales = [0, 1, 2].map((n) => told(`sale ${n}`, 'stripe', '50.00', { day: 11 + n / 10 }));
  expect(asked(posting, ...sales, settled)).toEqual(['sale 0', 'foreign', 'sale 1']);
});

test('Those that are asked about do not depend on the order in which they are known', () => {
  const posting = told('posting', BOOKS, '8.00', { day: 20 });
  const reports = fc.uniqueArray(
    fc.record({ day: fc.integer({ min: 0, max: 40 }), at: fc.constantFrom('stripe', 'shop') }),
    { selector: ({ day, at }) => `${at} ${day}`, minLength: 4, maxLength: 30 },
  );
  fc.assert(
    fc.property(reports, fc.infiniteStream(fc.nat()), (all, dice) => {
      const known = all.map(({ day, at }) => told(`${at} ${day}`, at, '8.00', { day }));
      const turned = known
        .map((report) => ({ report, place: dice.next().value }))
        .sort((a, b) => a.place - b.place)
        .map(({ report }) => report);
      expect(asked(posting, ...turned)).toEqual(asked(posting, ...known));
    }),
    { seed: 2026 },
  );
});
