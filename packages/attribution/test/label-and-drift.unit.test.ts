import { givenLabel, isLabelWithdrawn, labelWindow } from '@decision-ledger/attribution/labels';
import { type Proportion, proportionOf } from '@decision-ledger/attribution/proportions';
import {
  referenceMonths,
  type ScoredCount,
  stabilityIndex,
  stabilityOf,
} from '@decision-ledger/attribution/stability';
import { describe, expect, it } from 'vitest';
import { seeded } from '../../proof/test/support/seeded.js';

const precision = (right: number, of: number): Proportion | null =>
  proportionOf(
    Array.from({ length: of }, (_none, index) => ({ weight: 1, right: index < right ? 1 : 0 })),
  );
const GIVEN = { isWithdrawn: false, changedAt: null };
const [MARCH, END_OF_MARCH, APRIL] = ['2026-03-02', '2026-03-31', '2026-04-01'].map(Date.parse);
const decide =
  (before: typeof GIVEN | { isWithdrawn: boolean; changedAt: number | null }) =>
  (matched: Proportion | null, now = APRIL ?? 0) =>
    isLabelWithdrawn(before, { precision: { matched, suggested: null } }, now);

describe('The label of matches', () => {
  it('It is withdrawn when the lower bound is under nine in ten and something was wrong', () => {
    const withdraws = decide(GIVEN);
    // Wilson: 36 of 40 is 0.769 to 0.960, 150 of 160 is 0.889 to 0.966, 97 of 100 is 0.915 to 0.990.
    expect(withdraws(precision(36, 40))).toBe(true);
    expect(withdraws(precision(150, 160))).toBe(true);
    expect(withdraws(precision(97, 100))).toBe(false);
    expect(withdraws(precision(0, 30))).toBe(true);
  });

  it('It is kept while nothing was wrong, and while there are too few answers', () => {
    expect(precision(30, 30)?.low).toBeLessThan(0.9);
    expect(decide(GIVEN)(precision(30, 30))).toBe(false);
    expect(decide(GIVEN)(null)).toBe(false);
  });

  it('It returns when the bound has recovered, and not in the month of its withdrawal', () => {
    const withdrawn = { isWithdrawn: true, changedAt: MARCH ?? 0 };
    expect(decide(withdrawn)(precision(97, 100), END_OF_MARCH)).toBe(true);
    expect(decide(withdrawn)(precision(97, 100), APRIL)).toBe(false);
    expect(decide(withdrawn)(precision(30, 30), APRIL)).toBe(true);
    expect(decide(withdrawn)(null, APRIL)).toBe(true);
  });

  it('Answers around the limit change it at most twice a month', () => {
    const random = seeded(4);
    let state: { isWithdrawn: boolean; changedAt: number | null } = GIVEN;
    const changes = new Map<string, number>();
    for (let day = 0; day < 365; day += 1) {
      const now = Date.UTC(2026, 0, 1 + day);
      const isWithdrawn = decide(state)(precision(random() < 0.5 ? 150 : 155, 160), now);
      if (isWithdrawn === state.isWithdrawn) continue;
      state = { isWithdrawn, changedAt: now };
      const month = new Date(now).toISOString().slice(0, 7);
      changes.set(month, (changes.get(month) ?? 0) + 1);
    }
    expect(changes.size).toBeGreaterThan(6);
    expect(Math.max(...changes.values())).toBeLessThanOrEqual(2);
  });

  it('Half a year of audits decides, and a withdrawn label leaves guesses', () => {
    expect(new Date(labelWindow(Date.parse('2026-04-16T09:30:00Z'))).toISOString()).toBe(
      '2025-10-01T00:00:00.000Z',
    );
    expect([givenLabel('matched', true), givenLabel('matched', false)]).toEqual([
      'guessed',
      'matched',
    ]);
  });
});

describe('Population stability', () => {
  it('The index matches the hand calculation', () => {
    // Shares 0.5 and 0.5 against 0.8 and 0.2, with half an event in each bin.
    const own = stabilityIndex([100, 100], [160, 40]);
    const [p, q] = [160.5 / 201, 40.5 / 201];
    expect(own).toBeCloseTo((0.5 - p) * Math.log(0.5 / p) + (0.5 - q) * Math.log(0.5 / q), 12);
    expect(own).toBeGreaterThan(0.25);
    expect(stabilityIndex([50, 50], [500, 500])).toBeCloseTo(0, 12);
    expect(stabilityIndex([300, 0], [0, 300])).toBeGreaterThan(5);
    expect(Number.isFinite(stabilityIndex([300, 0], [0, 300]))).toBe(true);
  });

  it('The reference is the three months before, across the turn of a year', () => {
    expect(referenceMonths('2026-02')).toEqual(['2025-11', '2025-12', '2026-01']);
  });

  const month = (name: string, events: number, values: Partial<ScoredCount> = {}): ScoredCount => ({
    month: name,
    shares_identifier: true,
    lag_bin: 2,
    share_bin: 6,
    events,
    ...values,
  });

  it('A month with too few events has no index, and neither has a delay without suggestions', () => {
    const few = stabilityOf('2026-04', [month('2026-03', 1000), month('2026-04', 199)]);
    expect(few.map(({ state, index }) => [state, index])).toEqual(
      Array(3).fill(['too_few_events', null]),
    );
    const silent = stabilityOf('2026-04', [
      month('2026-03', 1000),
      month('2026-04', 100),
      month('2026-04', 200, { lag_bin: null, share_bin: 0, shares_identifier: false }),
      month('2025-12', 5000, { lag_bin: 0 }),
    ]);
    expect(silent.map(({ metric, state, events }) => [metric, state, events])).toEqual([
      ['identifier_coverage', 'drifted', 300],
      ['lag', 'too_few_events', 100],
      ['share', 'drifted', 300],
    ]);
    expect(silent[0]?.shares).toEqual([2 / 3, 1 / 3]);
    expect(silent[0]?.reference_events).toBe(1000);
  });

  it('Months that differ by chance alone never drift', () => {
    const random = seeded(8);
    const draw = (name: string, events: number) =>
      Array.from({ length: events }, () =>
        month(name, 1, {
          shares_identifier: random() < 0.7,
          lag_bin: Math.floor(random() * 7),
          share_bin: Math.floor(random() ** 2 * 7),
        }),
      );
    const found = Array.from({ length: 100 }, () =>
      stabilityOf('2026-04', [...draw('2026-03', 600), ...draw('2026-04', 200)]),
    ).flat();
    expect(found.filter(({ state }) => state === 'drifted')).toEqual([]);
  });
});
