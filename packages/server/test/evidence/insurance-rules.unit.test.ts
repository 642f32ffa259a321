import { Big } from 'big.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecision,
  groupActions,
  type LossExperience,
  noExperience,
  sumsFor,
} from '#server/domains/evidence/exports/rules/experience';
import { insuranceDocument } from '#server/domains/evidence/exports/rules/insurance';
import {
  addLoss,
  joinLosses,
  type Losses,
  lossSizesOf,
  noLosses,
} from '#server/domains/evidence/exports/rules/losses';
import {
  type Counted,
  mergeBins,
  protectCounts,
  sumBins,
} from '#server/domains/evidence/exports/rules/protect-counts';

const isSmall = ({ of, count }: Counted) =>
  [count, of - count].some((part) => part > 0 && part < 5);

/** Every combination of counts that groups of these sizes can have. */
function* allCounts(sizes: readonly number[]): Generator<readonly number[]> {
  const [first, ...others] = sizes;
  if (first === undefined) yield [];
  else {
    for (const rest of allCounts(others)) for (let n = 0; n <= first; n += 1) yield [n, ...rest];
  }
}

/** What is published of groups with these counts. */
function publish(sizes: readonly number[], counts: readonly number[]): (number | null)[] {
  const groups = sizes.map((of, at) => ({ of, count: counts[at] ?? 0 }));
  const { shown, total } = protectCounts(groups);
  const sum = counts.reduce((all, count) => all + count, 0);
  return [...counts.map((count, at) => (shown[at] ? count : null)), total ? sum : null];
}

/**
 * What an attacker can infer who knows the sizes, the publication and the rule: for each
 * publication, the values each count can have.
 */
function everythingPossible(sizes: readonly number[]): Map<string, Set<number>[]> {
  const possible = new Map<string, Set<number>[]>();
  for (const counts of allCounts(sizes)) {
    const key = JSON.stringify(publish(sizes, counts));
    const sets = possible.get(key) ?? sizes.map(() => new Set<number>());
    counts.forEach((count, at) => void sets[at]?.add(count));
    possible.set(key, sets);
  }
  return possible;
}

describe('Counts of groups', () => {
  const tables = fc.oneof(
    fc.array(fc.integer({ min: 5, max: 40 }), { minLength: 1, maxLength: 2 }),
    fc.array(fc.integer({ min: 5, max: 16 }), { minLength: 3, maxLength: 3 }),
    fc.array(fc.integer({ min: 5, max: 9 }), { minLength: 4, maxLength: 4 }),
  );

  it('Small counts cannot be inferred, even by trying all tables with the same rule', () => {
    fc.assert(
      fc.property(tables, (sizes) => {
        for (const sets of everythingPossible(sizes).values()) {
          for (const [at, values] of sets.entries()) {
            const [only = 0] = values;
            const isKnown = values.size === 1 && isSmall({ of: sizes[at] ?? 0, count: only });
            expect(isKnown, JSON.stringify({ sizes, sets: sets.map((set) => [...set]) })).toBe(
              false,
            );
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('Small counts are hidden, and so is a sum that would reveal them', () => {
    const group = fc
      .integer({ min: 5, max: 1000 })
      .chain((of) => fc.record({ of: fc.constant(of), count: fc.integer({ min: 0, max: of }) }));
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 12 }), (groups) => {
        const { shown, total } = protectCounts(groups);
        const hidden = groups.filter((_, at) => !shown[at]);
        expect(groups.filter((one, at) => shown[at] && isSmall(one))).toEqual([]);
        const all = (list: readonly Counted[]) => ({
          of: list.reduce((sum, { of }) => sum + of, 0),
          count: list.reduce((sum, { count }) => sum + count, 0),
        });
        if (total) expect([all(groups), all(hidden)].filter(isSmall)).toEqual([]);
        if (total) expect(hidden.length).not.toBe(1);
        if (!groups.some(isSmall)) expect({ total, hidden }).toEqual({ total: true, hidden: [] });
      }),
    );
  });

  it('Small counts are shown if they reveal nothing', () => {
    const groups = [
      { of: 10, count: 2 },
      { of: 20, count: 9 },
      { of: 500, count: 40 },
    ];
    expect(protectCounts(groups)).toEqual({ shown: [false, false, true], total: true });
    expect(protectCounts(groups.slice(0, 1))).toEqual({ shown: [false], total: false });
  });
});

const toBins = (counts: readonly number[]) =>
  counts.map((count, at) => ({ from: at, to: at + 1, count }));

describe('Histogram bins', () => {
  const counts = fc.array(fc.oneof(fc.integer({ min: 0, max: 12 }), fc.constant(0)), {
    minLength: 1,
    maxLength: 10,
  });

  it('Bins are empty or hold at least five, cover the same range and lose nothing', () => {
    fc.assert(
      fc.property(counts, (all) => {
        const merged = mergeBins(toBins(all));
        const sum = all.reduce((total, count) => total + count, 0);
        if (merged === null) {
          expect(sum).toBeLessThan(5);
          return;
        }
        expect(merged.filter(({ count }) => count > 0 && count < 5)).toEqual([]);
        expect(merged.reduce((total, { count }) => total + count, 0)).toBe(sum);
        expect(merged[0]?.from).toBe(0);
        expect(merged.at(-1)?.to).toBe(all.length);
        for (const [at, { to }] of merged.slice(0, -1).entries())
          expect(merged[at + 1]?.from).toBe(to);
        for (const { from, to, count } of merged) {
          const within = all.slice(from, to ?? undefined).reduce((total, n) => total + n, 0);
          expect(count).toBe(within);
        }
      }),
    );
  });

  it('Small bins cannot be inferred, even by trying all histograms with the same rule', () => {
    const most = 12;
    const possible = new Map<string, Set<number>[]>();
    for (const all of allCounts([most, most, most, most])) {
      const merged = mergeBins(toBins(all));
      // A larger bin has more combinations than were tried.
      if (merged === null || merged.some(({ count }) => count > most)) continue;
      const key = JSON.stringify(merged);
      const sets = possible.get(key) ?? all.map(() => new Set<number>());
      all.forEach((count, at) => void sets[at]?.add(count));
      possible.set(key, sets);
    }
    for (const [key, sets] of possible) {
      for (const [only = 0, ...others] of sets.map((set) => [...set])) {
        if (others.length === 0) expect(only > 0 && only < 5, key).toBe(false);
      }
    }
  });

  it('Several histograms are summed within bounds that all of them have', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 6 }), {
          maxLength: 4,
        }),
        (all) => {
          const histograms = all
            .map((one) => mergeBins(toBins(one)))
            .filter((bins) => bins !== null);
          const summed = sumBins(histograms);
          for (const { from, to, count } of summed) {
            for (const bins of histograms) {
              expect(bins.some((bin) => bin.from === from)).toBe(true);
              expect(bins.some((bin) => bin.to === to)).toBe(true);
            }
            const expected = histograms
              .flat()
              .filter((bin) => bin.from >= from && (bin.to ?? 0) <= (to ?? 0));
            expect(count).toBe(expected.reduce((sum, bin) => sum + bin.count, 0));
          }
          const count = (bins: readonly { count: number }[]) =>
            bins.reduce((sum, bin) => sum + bin.count, 0);
          expect(count(summed)).toBe(count(histograms.flat()));
        },
      ),
    );
  });
});

function experienceOf(decisions: number): LossExperience {
  const sums = noExperience();
  for (let n = 0; n < decisions; n += 1) {
    addDecision(sums, {
      ...{ decision_id: 'd', action_type: 't', confidence: 1, overseen: false },
      ...{ exposure: null, realised: null, loss: '0' },
    });
  }
  return sums;
}

const grouped = (types: Readonly<Record<string, number>>) =>
  groupActions(new Map(Object.entries(types).map(([name, n]) => [name, experienceOf(n)])))?.map(
    ({ name, sums }) => [name, sums.decisions],
  ) ?? null;

describe('Action types', () => {
  it('Rare action types are merged with enough others to hide them', () => {
    expect(grouped({ refund: 50, credit: 12, rare: 2, rarer: 1 })).toEqual([
      ['refund', 50],
      ['other', 15],
    ]);
    expect(grouped({ refund: 50, rare: 3, rarer: 2 })).toEqual([
      ['refund', 50],
      ['other', 5],
    ]);
    expect(grouped({ refund: 50, credit: 12 })).toEqual([
      ['credit', 12],
      ['refund', 50],
    ]);
    expect(grouped({ refund: 4 })).toBeNull();
    expect(grouped({})).toEqual([]);
  });

  it.for([
    'anna@example.com',
    'Refund for Anna Smith',
    'customer-20260416',
    '+491701234567',
    'répondre',
    'x'.repeat(65),
    '../',
    '',
    '=cmd',
  ])('An action type named %j is not shown', (name) => {
    expect(grouped({ [name]: 50, refund: 50 })).toEqual([
      ['refund', 50],
      ['other', 50],
    ]);
  });

  it('Action types beyond some thousand are merged, and so are names that are not shown', () => {
    const byType = new Map<string, LossExperience>();
    const add = (name: string) => {
      sumsFor(byType, name).decisions += 1;
    };
    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 30_000; n += 1) add(`type-${Math.floor(n / 100)}-${n % 100}`);
      for (let n = 0; n < 100; n += 1) add(`somebody ${n}`);
    }
    expect(byType.size).toBeLessThan(5002);
    expect(byType.get('type-0-7')?.decisions).toBe(2);
    expect(byType.get('other')?.decisions).toBe(60_200 - 2 * (byType.size - 1));
  });

  it('No decision is lost, and no shown action type is rare', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'other', 'd d', 'e@f', 'g');
    fc.assert(
      fc.property(fc.dictionary(name, fc.integer({ min: 1, max: 12 })), (types) => {
        const all = Object.values(types).reduce((sum, n) => sum + n, 0);
        const groups = grouped(types);
        if (groups === null) expect(all).toBeLessThan(5);
        else {
          expect(groups.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(all);
          expect(groups.filter(([, n]) => Number(n) < 5)).toEqual([]);
        }
      }),
    );
  });
});

/** The document of decisions without further expected cost, some of which caused a loss. */
function documentOf(sizes: readonly number[], losers: readonly number[], loss: string): Json {
  const byType = new Map<string, LossExperience>();
  for (const [at, size] of sizes.entries()) {
    const sums = noExperience();
    byType.set(`type${at}`, sums);
    for (let n = 0; n < size; n += 1) {
      const lost = n < (losers[at] ?? 0) ? loss : '0';
      addDecision(sums, {
        ...{ decision_id: 'd', action_type: 't', confidence: 1, overseen: false },
        ...{ exposure: lost, realised: lost, loss: lost },
      });
    }
  }
  const about = { start: 's', end: 'e', generatedAt: 'g' };
  const facts = { byType, largest: [], currency: 'USD', hasExposure: true, about };
  return JSON.parse(JSON.stringify(insuranceDocument(facts)));
}

type Row = { readonly losses?: { readonly suppressed: boolean } };
type Json = { readonly totals: Row; readonly action_types: readonly Row[] };

describe('Hidden losses', () => {
  it.for([[5], [8], [12], [5, 5], [6, 9], [10, 5]])(
    'Hidden losses of %j decisions show in no amount',
    (sizes) => {
      for (const losers of allCounts(sizes)) {
        const [small, large] = ['13.37', '9020.55'].map((loss) => {
          const { totals, action_types } = documentOf(sizes, losers, loss);
          return [totals, ...action_types].filter(({ losses }) => losses?.suppressed !== false);
        });
        expect(large, JSON.stringify(losers)).toEqual(small);
      }
    },
  );
});

function lossesOf(amounts: readonly string[]): Losses {
  const losses = noLosses();
  for (const amount of amounts) addLoss(losses, new Big(amount));
  return losses;
}

describe('Loss severity', () => {
  it('Severity is that of all losses sorted, despite rounding', () => {
    const cents = fc.oneof(
      fc.integer({ min: 1, max: 99_999 }),
      fc.integer({ min: 1, max: 2 ** 40 }),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cents, { maxLength: 30 }), { maxLength: 3 }), (groups) => {
        const all = noLosses();
        const toText = (of: number) => new Big(of).div(100).toFixed(2);
        for (const group of groups) joinLosses(all, lossesOf(group.map(toText)));
        const sorted = groups.flat().sort((a, b) => a - b);
        const rank = (share: number) => {
          const loss = sorted[Math.ceil(share * sorted.length) - 1];
          return loss === undefined
            ? null
            : new Big(new Big(loss).div(100).toPrecision(2, 2)).toFixed();
        };
        expect(lossSizesOf(all, 'USD')).toMatchObject({
          sum: toText(sorted.reduce((sum, loss) => sum + loss, 0)),
          ...{ median: rank(0.5), p95: rank(0.95), max: rank(1) },
        });
        const bounds = [0, 100, 1000, 10_000, 100_000, 1_000_000, Infinity];
        expect(all.buckets).toEqual(
          bounds.slice(0, -1).map((from, at) => {
            const to = bounds[at + 1] ?? Infinity;
            return sorted.filter((loss) => loss >= from * 100 && loss < to * 100).length;
          }),
        );
      }),
    );
  });

  it('Severity needs no more memory for more losses', () => {
    const amounts = Array.from({ length: 20_000 }, (_, n) => `${n + 1}.37`);
    expect(lossesOf(amounts).bySize.size).toBeLessThan(400);
  });

  it('Severity has an exact sum, and single losses to two significant figures', () => {
    const losses = ['0.1', '0.2', '1234.56', '99999.99', '155', '5', '6', '7', '8', '9'];
    expect(lossSizesOf(lossesOf(losses), 'USD')).toEqual({
      sum: '101424.85',
      mean: '10142.48',
      median: '7',
      p95: '100000',
      max: '100000',
      buckets: [{ from: 0, to: null, count: 10 }],
    });
  });

  it('Severity of no losses is null', () => {
    expect(lossSizesOf(noLosses(), 'JPY')).toMatchObject({
      sum: '0',
      mean: null,
      median: null,
      max: null,
    });
  });
});
