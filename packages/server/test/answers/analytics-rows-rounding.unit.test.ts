import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EventSum,
  LABELS,
  LINK_TYPES,
  type LinkedSum,
} from '#server/domains/answers/analytics/rules/books';
import { buildPnl } from '#server/domains/answers/analytics/rules/pnl';
import { type MoneySum, printRows } from '#server/domains/answers/analytics/rules/rows';

const DAYS = ['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-05', '2026-04-01', '2026-11-30'];
const amount = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.constantFrom(0, 2, 3, 4, 7, 12))
  .map(([n, scale]) => `${n}e-${scale}`);

/** A sum of allocations of one day and agent. */
const allocation = fc
  .record({
    day: fc.constantFrom(...DAYS),
    key: fc.constantFrom('a', 'b', 'c', 'Ü'),
    label: fc.constantFrom(...LABELS),
    link_type: fc.constantFrom(...LINK_TYPES),
    currency: fc.constantFrom('USD', 'EUR', 'JPY', 'BHD'),
    is_converted: fc.boolean(),
    own: amount,
    rate: fc.constantFrom('1', '1.07', '0.0067'),
  })
  .map(({ rate, ...own }) => ({
    ...own,
    month: own.day.slice(0, 7),
    amount: own.is_converted ? new Big(own.own).times(rate).toFixed() : null,
  }));
type Allocation = typeof allocation extends fc.Arbitrary<infer One> ? One : never;

const world = fc.record({
  allocations: fc.array(allocation, { maxLength: 40 }),
  rest: amount,
  isWhole: fc.boolean(),
  exposures: fc.array(fc.nat(10_000_000), { minLength: 24, maxLength: 24 }),
});

const add = (all: readonly (Big | string)[]) =>
  all.reduce<Big>((sum, one) => sum.plus(one), new Big(0));

/** Adds up what equal names have, as the database does. */
function summed<Row extends MoneySum>(rows: readonly Row[], nameOf: (row: Row) => string): Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const { label, link_type, currency, is_converted } = row;
    const name = JSON.stringify([nameOf(row), label, link_type, currency, is_converted]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const sum = first.is_converted ? add(own.map((one) => one.amount ?? '0')).toFixed() : null;
    return [{ ...first, own: add(own.map((one) => one.own)).toFixed(), amount: sum }];
  });
}

const startOf = (day: string, bucket: 'day' | 'month') =>
  Date.parse(bucket === 'day' ? day : `${day.slice(0, 7)}-01`);

/** The rows of a bucket and key as a timeline reads them. */
function rowsOf(
  allocations: readonly Allocation[],
  bucket: 'day' | 'month' | null,
  hasKey: boolean,
  exposures: readonly number[],
) {
  const places = (bucket === null ? [null] : DAYS).flatMap((day) =>
    (hasKey ? ['a', 'b', 'c', 'Ü'] : [null]).map((key) => ({
      start: day === null || bucket === null ? null : startOf(day, bucket),
      key,
    })),
  );
  const unique = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
  return unique.map((place, index) => {
    const own = allocations.filter(
      ({ day, key }) =>
        (place.start === null || bucket === null || startOf(day, bucket) === place.start) &&
        (place.key === null || place.key === key),
    );
    const exposure = `${exposures[index] ?? 0}e-6`;
    const decided = { decisions: 1, confidence: 0.5, overseen: 0, exposure };
    return { place, decided, moved: { ...place, sums: summed(own, () => '') } };
  });
}

function resultOf<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const PRINTING = { roundExposure: (exposure: string) => new Big(exposure).toFixed(2, 2) };
const NONE = { total: '0', without_cause: '0' };
const NO_DOUBT = { variance: '0', lowest: '0', highest: '0' };

describe('Rounded rows', () => {
  it('Rows of a timeline and of agents add up to the profit and loss, in every figure', () => {
    fc.assert(
      fc.property(world, ({ allocations, rest, isWhole, exposures }) => {
        const linked: LinkedSum[] = summed(allocations, ({ month }) => month);
        const may_include_tax = '0';
        const free: EventSum = {
          ...{ month: '2026-01', currency: 'USD', is_converted: true },
          ...{ own: rest, amount: rest, may_include_tax },
        };
        const all = [...linked.map((sum) => ({ ...sum, may_include_tax })), free];
        const events = isWhole ? all : null;
        const agents = summed(allocations, ({ key }) => key).map((row) => ({
          ...row,
          is_rest: false,
        }));
        const pnl = buildPnl('USD', {
          ...{ linked, events, byAgent: agents, byActionType: agents, byCustomer: null },
          ...{ uncertainty: NO_DOUBT, unnamed: null, reversals: NONE, closings: [], uncounted: [] },
        });
        const print = (bucket: 'day' | 'month' | null, hasKey: boolean) => {
          const rows = rowsOf(allocations, bucket, hasKey, exposures);
          const printed = resultOf(
            printRows(rows, { ...PRINTING, currency: 'USD', events, bucket }),
          );
          return rows.map(({ place, decided }, index) => {
            const figures = printed[index];
            if (figures === undefined) throw new Error('a row was not printed');
            return { place, exact: decided.exposure, ...figures };
          });
        };
        type Rows = ReturnType<typeof print>;
        const expectSums = (rows: Rows) => {
          for (const name of ['revenue', 'losses', 'net'] as const) {
            expect(add(rows.map((row) => row[name])).toFixed(2)).toBe(pnl.expected[name]);
            const guessed = add(rows.map((row) => row.guessed[name]));
            expect(guessed.toFixed(2)).toBe(pnl.guessed[name]);
          }
          for (const { currency, amount: whole } of pnl.unconverted) {
            const own = rows.flatMap(({ unconverted }) =>
              unconverted.flatMap((one) => (one.currency === currency ? [one.amount] : [])),
            );
            expect(add(own).eq(whole)).toBe(true);
          }
          const exposure = add(rows.map((row) => row.exact)).round(2, 2);
          expect(add(rows.map((row) => row.exposure ?? 'none')).eq(exposure)).toBe(true);
        };
        for (const bucket of ['day', 'month', null] as const) {
          const [alone, grouped] = [print(bucket, false), print(bucket, true)];
          expectSums(alone);
          expectSums(grouped);
          for (const row of bucket === null ? [] : alone) {
            const own = grouped.filter(({ place }) => place.start === row.place.start);
            expect(add(own.map(({ net }) => net)).toFixed(2)).toBe(row.net);
            expect(add(own.map(({ revenue }) => revenue)).toFixed(2)).toBe(row.revenue);
          }
        }
        for (const { key, expected, guessed } of pnl.by_month) {
          const row = print('month', false).find(
            ({ place }) => place.start === Date.parse(`${key}-01`),
          );
          const { revenue, losses, net } = expected;
          expect(row).toMatchObject({ revenue, losses, net, guessed: { net: guessed.net } });
        }
        for (const { key, expected } of pnl.by_agent) {
          const row = print(null, true).find(({ place }) => place.key === key);
          const { revenue, losses, net } = expected;
          expect(row).toMatchObject({ revenue, losses, net });
        }
      }),
      { seed: 21, numRuns: 30 },
    );
  });

  it('A printed figure of a row is next to its exact value', () => {
    fc.assert(
      fc.property(world, ({ allocations, exposures }) => {
        const rows = rowsOf(allocations, 'day', true, exposures);
        const events = null;
        const printed = resultOf(
          printRows(rows, { ...PRINTING, currency: 'USD', events, bucket: 'day' }),
        );
        for (const [index, { moved }] of rows.entries()) {
          const exact = add(
            moved.sums.flatMap(({ label, link_type, amount: own }) =>
              label === 'guessed' && link_type === 'loss' ? [own ?? '0'] : [],
            ),
          );
          const shown = new Big(printed[index]?.guessed.losses ?? 'none');
          expect(shown.minus(exact).abs().lt('0.01')).toBe(true);
        }
      }),
      { seed: 22, numRuns: 60 },
    );
  });
});
