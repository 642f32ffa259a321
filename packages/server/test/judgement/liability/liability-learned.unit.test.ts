import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  confidenceBin,
  confidenceFactor,
  humanFactors,
} from '#server/domains/judgement/liability/rules/controls';
import { estimator, type Outcomes } from '#server/domains/judgement/liability/rules/estimator';
import { nonIncreasing } from '#server/domains/judgement/liability/rules/learned-factors';
import {
  ACTION,
  anyFacts,
  anyOutcomes,
  anySettings,
  estimateOf,
  experienceOf,
  facts,
  OVERSIGHTS,
  settingsWith,
  share,
} from './support/liability-model.js';

const NOTHING = { decisions: 0, losses: 0 };
const { confidence, oversight } = settingsWith();
/** 1 % of decisions lose, and a group blends its own outcomes with 200 of those. */
const REFERENCE = { rate: 0.01, credibility: 200 };

/** The best non-increasing sequence is constant on blocks, at their weighted means. */
function bestByTrial(points: readonly { value: number; weight: number }[]): number[] {
  let best: { error: number; fit: number[] } | null = null;
  for (let cuts = 0; cuts < 2 ** (points.length - 1); cuts += 1) {
    const fit: number[] = [];
    let from = 0;
    for (let at = 1; at <= points.length; at += 1) {
      const isCut = at === points.length || Math.floor(cuts / 2 ** (at - 1)) % 2 === 1;
      if (!isCut) continue;
      const block = points.slice(from, at);
      const weight = block.reduce((sum, point) => sum + point.weight, 0);
      const mean = block.reduce((sum, point) => sum + point.value * point.weight, 0) / weight;
      for (const _ of block) fit.push(mean);
      from = at;
    }
    if (fit.some((value, index) => value > (fit[index - 1] ?? Infinity) + 1e-12)) continue;
    const error = points.reduce(
      (sum, { value, weight }, index) => sum + weight * (value - (fit[index] ?? 0)) ** 2,
      0,
    );
    if (best === null || error < best.error) best = { error, fit };
  }
  return best?.fit ?? [];
}

describe('Isotonic regression', () => {
  const points = fc.array(
    fc.record({ value: share, weight: fc.double({ min: 0.1, max: 100, noNaN: true }) }),
    { minLength: 1, maxLength: 8 },
  );

  it('Isotonic regression finds the same optimum as exhaustive search', () => {
    fc.assert(
      fc.property(points, (given) => {
        const expected = bestByTrial(given);
        for (const [index, value] of nonIncreasing(given).entries()) {
          expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 6);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('Isotonic regression never rises, and leaves a non-increasing sequence unchanged', () => {
    fc.assert(
      fc.property(points, (given) => {
        const fitted = nonIncreasing(given);
        expect(fitted).toHaveLength(given.length);
        expect([...fitted].sort((a, b) => b - a)).toEqual(fitted);
        const sorted = [...given].sort((a, b) => b.value - a.value);
        for (const [index, value] of nonIncreasing(sorted).entries()) {
          expect(value).toBeCloseTo(sorted[index]?.value ?? Number.NaN, 12);
        }
      }),
    );
  });

  it('Isotonic regression pools 1, 2 and 2 to 16/9, as computed by hand', () => {
    const values = [3, 1, 2, 2].map((value, index) => ({ value, weight: index + 1 }));
    // 1, 2 and 2 with weights 2, 3 and 4 are pooled: 16 ÷ 9.
    expect(nonIncreasing(values)).toEqual([3, 16 / 9, 16 / 9, 16 / 9]);
    expect(nonIncreasing([])).toEqual([]);
  });
});

/** The factor at a confidence, given outcomes in these bins. */
function factorAt(
  value: number,
  bins: Readonly<Record<number, readonly [number, number]>>,
): number {
  const tallies = Array.from({ length: 10 }, (_, bin) => {
    const [decisions, losses] = bins[bin] ?? [0, 0];
    return { decisions, losses };
  });
  return confidenceFactor(confidence, tallies, REFERENCE)(value);
}

describe('Confidence factor', () => {
  it('The confidence factor is assumed below 200 outcomes and learned from 200 on', () => {
    expect(factorAt(0.85, { 8: [199, 20] })).toBeCloseTo(2 ** -0.25, 12);
    // (20 + 2) ÷ (200 + 200) = .055; its odds ÷ those of .01.
    expect(factorAt(0.85, { 8: [200, 20] })).toBe(4);
    expect(factorAt(0.85, { 8: [200, 2] })).toBeCloseTo(1, 12);
    // (5 + 2) ÷ 400 = .0175.
    expect(factorAt(0.85, { 8: [200, 5] })).toBeCloseTo(0.0175 / 0.9825 / (0.01 / 0.99), 12);
  });

  it('The confidence factor is constant within a bin', () => {
    const bins = { 7: [1000, 20] } as const;
    expect(factorAt(0.7, bins)).toBe(factorAt(0.7999, bins));
    expect(factorAt(0.8, bins)).not.toBe(factorAt(0.7999, bins));
  });

  it('The confidence factor is at its minimum if nothing ever went wrong', () => {
    expect(factorAt(0.95, { 9: [100_000, 0] })).toBe(0.5);
  });

  it('Assumed factors stay between their learned neighbours', () => {
    const bins = { 3: [10_000, 120], 6: [10_000, 80] } as const;
    const [three, six] = [factorAt(0.35, bins), factorAt(0.65, bins)];
    expect(three).toBeGreaterThan(1);
    expect(six).toBeLessThan(1);
    // The assumptions are 4, 4, 2.83 and .71.
    expect(factorAt(0.1, bins)).toBe(4);
    expect(factorAt(0.4, bins)).toBe(three);
    expect(factorAt(0.55, bins)).toBe(three);
    expect(factorAt(0.9, bins)).toBeCloseTo(2 ** -0.5, 12);
    expect(factorAt(0.7, bins)).toBe(six);
  });

  it('Bins whose losses rise with confidence are pooled', () => {
    const bins = { 4: [800, 4], 8: [800, 20] } as const;
    // (24 + 4) ÷ 2,000 = .014 for both.
    const pooled = 0.014 / 0.986 / (0.01 / 0.99);
    for (const value of [0.45, 0.6, 0.85]) expect(factorAt(value, bins)).toBeCloseTo(pooled, 12);
  });

  it('A confidence of 1 belongs to the last bin', () => {
    expect([0, 0.0999, 0.1, 0.3, 0.7, 0.9, 1].map(confidenceBin)).toEqual([0, 0, 1, 3, 7, 9, 9]);
  });
});

describe('Oversight factor', () => {
  const learn = (
    none: readonly [number, number],
    human: readonly [number, number],
    reviewer: readonly [number, number],
  ) => {
    const [a, b, c] = [none, human, reviewer].map(([decisions, losses]) => ({ decisions, losses }));
    const tallies = {
      none: a ?? NOTHING,
      human_in_loop: b ?? NOTHING,
      reviewer: c ?? NOTHING,
    };
    return humanFactors(oversight, tallies, REFERENCE);
  };

  it('The oversight factor is assumed until both sides have 200 outcomes', () => {
    const assumed = { none: 1, human_in_loop: 0.85, reviewer: 0.7 };
    expect(learn([199, 50], [5000, 5], [5000, 5])).toEqual(assumed);
    expect(learn([5000, 50], [199, 0], [199, 0])).toEqual(assumed);
    expect(learn([200, 10], [200, 0], [199, 0])).not.toEqual(assumed);
  });

  it('The oversight factor is learned as the ratio of odds to unreviewed decisions', () => {
    // No oversight: (500.01) ÷ 10,001. Human: (300 + 200 × that) ÷ 10,200; reviewer likewise with
    // 200.
    const nobody = 500.01 / 10_001;
    const ratio = (losses: number) => {
      const rate = (losses + 200 * nobody) / 10_200;
      return rate / (1 - rate) / (nobody / (1 - nobody));
    };
    const factors = learn([10_000, 500], [10_000, 300], [10_000, 200]);
    expect(factors.human_in_loop).toBeCloseTo(ratio(300), 12);
    expect(factors.reviewer).toBeCloseTo(ratio(200), 12);
    expect(ratio(300)).toBeCloseTo(0.6, 1);
  });

  it('The oversight factor lies between .30 and 1', () => {
    expect(learn([10_000, 500], [10_000, 0], [10_000, 0])).toEqual({
      ...{ none: 1, human_in_loop: 0.3, reviewer: 0.3 },
    });
    expect(learn([10_000, 100], [10_000, 500], [10_000, 500])).toEqual({
      ...{ none: 1, human_in_loop: 1, reviewer: 1 },
    });
    expect(learn([200, 0], [200, 0], [200, 5])).toEqual({
      ...{ none: 1, human_in_loop: 1, reviewer: 1 },
    });
  });

  it('The factor of a reviewer never exceeds that of a human, whichever was learned', () => {
    const human = learn([10_000, 500], [10_000, 200], [0, 0]);
    expect(human.human_in_loop).toBeLessThan(0.7);
    expect(human.reviewer).toBe(human.human_in_loop);
    const reviewer = learn([10_000, 500], [0, 0], [10_000, 480]);
    expect(reviewer.reviewer).toBeGreaterThan(0.9);
    expect(reviewer.human_in_loop).toBe(reviewer.reviewer);
    const both = learn([10_000, 500], [10_000, 200], [10_000, 400]);
    expect(both.human_in_loop).toBe(both.reviewer);
  });
});

const LEARNED_FROM = 200;

function totals(outcomes: readonly Outcomes[], isOf: (outcome: Outcomes) => boolean): number {
  return outcomes.filter(isOf).reduce((sum, { decisions }) => sum + decisions, 0);
}

/** Whether a group of decisions reaches its own estimate with these outcomes. */
function begins(before: readonly Outcomes[], after: readonly Outcomes[]): boolean {
  const kinds = [
    ...Array.from({ length: 10 }, (_, bin) => (one: Outcomes) => one.confidence_bin === bin),
    ...OVERSIGHTS.map((oversight) => (one: Outcomes) => one.oversight === oversight),
  ];
  return kinds.some(
    (isOf) => totals(before, isOf) < LEARNED_FROM && totals(after, isOf) >= LEARNED_FROM,
  );
}

const RUNS = 600;

describe('Experience', () => {
  it('Good outcomes never raise an exposure, whatever else was learned', () => {
    let tried = 0;
    fc.assert(
      fc.property(
        anySettings,
        anyOutcomes,
        anyFacts,
        fc.nat(9),
        fc.constantFrom(...OVERSIGHTS),
        fc.nat(100_000),
        (settings, outcomes, given, confidence_bin, seen, decisions) => {
          const good = { confidence_bin, oversight: seen, decisions, losses: 0 };
          const more = [...outcomes, good];
          // When a group reaches its own estimate, the earlier assumption may prove too low.
          fc.pre(!begins(outcomes, more));
          // Good outcomes of unreviewed decisions show that oversight helps less.
          fc.pre(seen !== 'none' || given.oversight === 'none');
          const exposure = (of: readonly Outcomes[]) =>
            estimator(settings, experienceOf({ outcomes: of }))(given, given.timestamp).exposure;
          expect(exposure(more)).toBeLessThanOrEqual(exposure(outcomes) * (1 + 1e-9));
          tried += 1;
        },
      ),
      { numRuns: RUNS },
    );
    expect(tried).toBe(RUNS);
  });

  it('Unreviewed outcomes never raise a reviewed decision above an unreviewed one', () => {
    const history = (decisions: number): Outcomes[] => [
      { confidence_bin: 8, oversight: 'none', decisions, losses: 20 },
      { confidence_bin: 8, oversight: 'reviewer', decisions: 1000, losses: 10 },
    ];
    const at = (decisions: number, seen: (typeof OVERSIGHTS)[number]) =>
      estimateOf(facts({ oversight: seen, actionType: ACTION }), history(decisions)).exposure;
    for (const decisions of [1000, 2000, 10_000, 1_000_000]) {
      expect(at(decisions, 'reviewer')).toBeLessThanOrEqual(at(decisions, 'none'));
    }
  });

  it('Experience of one action type does not affect another', () => {
    const outcomes: Outcomes[] = [
      { confidence_bin: 8, oversight: 'none', decisions: 5000, losses: 2500 },
    ];
    const other = facts({ actionType: 'other' });
    expect(estimateOf(other, outcomes)).toEqual(estimateOf(other));
    expect(estimateOf(facts(), outcomes).exposure).toBeGreaterThan(estimateOf(facts()).exposure);
  });

  it('Severity moves from the whole amount towards the observed share', () => {
    const severity = (sum: number, count: number) =>
      estimator(settingsWith(), experienceOf({ severity: { sum, count } }))(facts(), 0).parts
        .severity;
    expect([severity(0, 0), severity(25, 80), severity(0, 20), severity(300, 80)]).toEqual([
      ...[1, 0.45, 0.5, 3.2],
    ]);
  });
});
