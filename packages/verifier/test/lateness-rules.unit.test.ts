import { CHANGE_MS, type LatenessLimit, settledFrom } from '@decision-ledger/proof/bundle/lateness';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lateEntries } from '#verifier/checks/log/lateness';
import { Run } from '#verifier/checks/run';

const DAY = 86_400;
const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 0, 1);

/** Steps in time: a change of the limit, or a decision by a process that knows a state of some age. */
const Step = fc.record({
  wait: fc.oneof(fc.integer({ min: 0, max: CHANGE_MS }), fc.integer({ min: 0, max: 20 * HOUR_MS })),
  change: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(null, DAY, DAY, 2 * DAY) },
  ),
  age: fc.integer({ min: 0, max: 5 * DAY * 1000 }),
  stale: fc.integer({ min: 0, max: CHANGE_MS }),
});

interface Entry {
  readonly time: number;
  readonly recorded: number;
}

/** The limit that a process applies that reads the settings as they were at a time. */
function knownAt(limits: readonly LatenessLimit[], time: number): number | null {
  return limits.findLast(({ at }) => at <= time)?.seconds ?? null;
}

/** What a ledger records whose processes know a change within five minutes. */
function recordAll(steps: readonly (typeof Step extends fc.Arbitrary<infer S> ? S : never)[]) {
  const limits: LatenessLimit[] = [];
  const entries: Entry[] = [];
  let now = START;
  for (const { wait, change, age, stale } of steps) {
    now += wait;
    if (change !== undefined) {
      limits.push({ at: now, seconds: change });
      continue;
    }
    const seconds = knownAt(limits, now - stale);
    if (seconds !== null && age > seconds * 1000) continue;
    entries.push({ time: now - age, recorded: now });
  }
  return { limits, entries };
}

const steps = fc.array(Step, { maxLength: 60 });

function runOf(entries: readonly Entry[]): Run {
  const run = new Run();
  for (const [index, { time, recorded }] of entries.entries()) {
    const point = { seq: index + 1, hash: '00'.repeat(32) };
    const times = [time, recorded].map((at) => new Date(at).toISOString());
    run.add({ ...point, timestamp: times[0] ?? '', created_at: times[1] ?? '' }, true);
  }
  return run;
}

test('A ledger that keeps its limits has no late entry', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { limits, entries } = recordAll(all);
      expect([...lateEntries(runOf(entries), limits)]).toEqual([]);
    }),
    { seed: 18, numRuns: 3000 },
  );
});

test('Nothing that is dated before an end is recorded once the range is settled', () => {
  let settledOnes = 0;
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 20 * DAY * 1000 }), (all, offset) => {
      const { limits, entries } = recordAll(all);
      const end = START + offset;
      const settled = settledFrom(end, limits.at(-1) ?? null);
      if (settled === null) return;
      const after = entries.filter(({ recorded }) => recorded >= settled);
      settledOnes += after.length;
      expect(after.filter(({ time }) => time < end)).toEqual([]);
    }),
    { seed: 18, numRuns: 3000 },
  );
  expect(settledOnes).toBeGreaterThan(0);
});

test('An entry beyond the limit is late, to the millisecond, unless the limit has just changed', () => {
  const at = START + 10 * HOUR_MS;
  const limits = [
    { at, seconds: DAY },
    { at: at + 100 * HOUR_MS, seconds: null },
  ];
  const isLate = (recorded: number, age: number) =>
    [...lateEntries(runOf([{ time: recorded - age, recorded }]), limits)].length > 0;
  const over = DAY * 1000 + 1;
  const [first, last] = [at + CHANGE_MS + 1, at + 100 * HOUR_MS - 1];
  expect([first, last].map((time) => isLate(time, over))).toEqual([true, true]);
  expect([first - 1, last + 1].map((time) => isLate(time, over))).toEqual([false, false]);
  expect(isLate(first, over - 1)).toBe(false);
  expect(isLate(at - HOUR_MS, over)).toBe(false);
});
