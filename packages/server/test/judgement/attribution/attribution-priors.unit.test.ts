import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNCALIBRATED } from '#server/domains/judgement/attribution/rules/v1/calibrate';
import {
  type PatternCounts,
  patternMean,
  type ReviewCounts,
} from '#server/domains/judgement/attribution/rules/v1/priors';
import { scoreCandidates } from '#server/domains/judgement/attribution/rules/v1/score';
import { BARE, PARAMETERS } from './support/attribution.js';

const TODAY = 20_500;
const NONE: PatternCounts = { all: [], action: [], agent: [] };

interface Review {
  readonly day: number;
  readonly isConfirmed: boolean;
}

const reviews = fc.array(
  fc.record({ day: fc.integer({ min: TODAY - 400, max: TODAY }), isConfirmed: fc.boolean() }),
  { maxLength: 60 },
);

/** Counts as in the replay of the log: whole numbers, one row per day with reviews. */
function count(before: readonly ReviewCounts[], review: Review, by: 1 | -1): ReviewCounts[] {
  const { day, isConfirmed } = review;
  const old = before.find((row) => row.day === day) ?? { day, confirmed: 0, rejected: 0 };
  const confirmed = old.confirmed + (isConfirmed ? by : 0);
  const rejected = old.rejected + (isConfirmed ? 0 : by);
  const others = before.filter((row) => row.day !== day);
  const rows = confirmed + rejected > 0 ? [...others, { day, confirmed, rejected }] : others;
  return rows.sort((a, b) => a.day - b.day);
}

function countAll(list: readonly Review[], start: readonly ReviewCounts[] = []): ReviewCounts[] {
  return list.reduce<ReviewCounts[]>((counts, review) => count(counts, review, 1), [...start]);
}

const everywhere = (counts: readonly ReviewCounts[]): PatternCounts => ({
  all: counts,
  action: counts,
  agent: counts,
});

describe('Pattern prior', () => {
  it('The prior without reviews is a quarter: Beta(1, 3)', () => {
    expect(patternMean(NONE, TODAY)).toBe(0.25);
  });

  it('Four reviews draw each level towards the wider one, as computed by hand', () => {
    const two = [{ day: TODAY, confirmed: 2, rejected: 0 }];
    // all (1+2)/(4+2) = 1/2; action (4/2+2)/(4+2) = 2/3; agent (8/3+2)/(4+2) = 7/9
    expect(patternMean(everywhere(two), TODAY)).toBeCloseTo(7 / 9, 12);
    expect(patternMean({ ...NONE, all: two }, TODAY)).toBeCloseTo(1 / 2, 12);
    expect(patternMean({ ...NONE, agent: two }, TODAY)).toBeCloseTo((0.25 * 4 + 2) / 6, 12);
  });

  it('Reviews lose half of their weight in 90 days', () => {
    const old = [{ day: TODAY - 90, confirmed: 0, rejected: 8 }];
    expect(patternMean({ ...NONE, agent: old }, TODAY)).toBeCloseTo((0.25 * 4) / (4 + 4), 12);
    const young = [{ day: TODAY, confirmed: 0, rejected: 8 }];
    expect(patternMean({ ...NONE, agent: young }, TODAY)).toBeCloseTo((0.25 * 4) / (4 + 8), 12);
  });

  it('Old reviews fade towards the prior without them', () => {
    fc.assert(
      fc.property(reviews, fc.boolean(), fc.nat(1000), (list, isConfirmed, days) => {
        const counts = { ...NONE, agent: countAll(list.map(({ day }) => ({ day, isConfirmed }))) };
        const away = (today: number) => Math.abs(patternMean(counts, today) - 0.25);
        expect(away(TODAY + days)).toBeLessThanOrEqual(away(TODAY) + 1e-12);
        expect(away(TODAY + 90 * 60)).toBeLessThan(1e-9);
      }),
    );
  });

  it('A review of a later day counts as one of today', () => {
    const tomorrow = [{ day: TODAY + 1, confirmed: 3, rejected: 1 }];
    const today = [{ day: TODAY, confirmed: 3, rejected: 1 }];
    expect(patternMean(everywhere(tomorrow), TODAY)).toBe(patternMean(everywhere(today), TODAY));
  });

  it('The prior does not depend on the order of the reviews', () => {
    const shuffled = reviews.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        const [a, b] = [everywhere(countAll(list)), everywhere(countAll(other))];
        expect(patternMean(a, TODAY)).toBe(patternMean(b, TODAY));
      }),
    );
  });

  it('Withdrawn reviews leave the prior exactly as it was', () => {
    fc.assert(
      fc.property(reviews, reviews, (kept, undone) => {
        const before = countAll(kept);
        const after = undone.reduce(
          (counts, review) => count(counts, review, -1),
          [...countAll(undone, before)],
        );
        expect(after).toEqual(before);
        const mean = patternMean(everywhere(after), TODAY);
        expect(mean).toBe(patternMean(everywhere(before), TODAY));
      }),
    );
  });

  it('The prior lies between 0 and 1 and rises with each confirmation', () => {
    fc.assert(
      fc.property(reviews, (list) => {
        const counts = countAll(list);
        const mean = patternMean(everywhere(counts), TODAY);
        expect(mean > 0 && mean < 1).toBe(true);
        const one = count(counts, { day: TODAY, isConfirmed: true }, 1);
        const other = count(counts, { day: TODAY, isConfirmed: false }, 1);
        expect(patternMean(everywhere(one), TODAY)).toBeGreaterThan(mean);
        expect(patternMean(everywhere(other), TODAY)).toBeLessThan(mean);
      }),
    );
  });
});

describe('Twenty reviews of one pattern', () => {
  const others: PatternCounts = everywhere([{ day: TODAY - 30, confirmed: 5, rejected: 5 }]);
  const add = (isConfirmed: boolean, by: 1 | -1, start: PatternCounts): PatternCounts => {
    const twenty = Array.from({ length: 20 }, () => ({ day: TODAY, isConfirmed }));
    const into = (counts: readonly ReviewCounts[]) =>
      twenty.reduce<ReviewCounts[]>((rows, review) => count(rows, review, by), [...counts]);
    return { all: into(start.all), action: into(start.action), agent: into(start.agent) };
  };
  const score = (counts: PatternCounts) => {
    const overlap = { ...BARE.overlap, idBits: 6 };
    const agentPattern = patternMean(counts, TODAY + 1);
    const [first] = scoreCandidates([{ ...BARE, overlap, agentPattern }, BARE], 1, {
      parameters: PARAMETERS,
      calibration: UNCALIBRATED,
    });
    return first?.share ?? Number.NaN;
  };

  it.for([true, false])(
    'Twenty reviews move later scores, and withdrawn they have no effect: %j',
    (yes) => {
      const before = score(others);
      const reviewed = add(yes, 1, others);
      if (yes) expect(score(reviewed)).toBeGreaterThan(before + 0.05);
      else expect(score(reviewed)).toBeLessThan(before - 0.05);
      expect(score(add(yes, -1, reviewed))).toBe(before);
    },
  );
});
