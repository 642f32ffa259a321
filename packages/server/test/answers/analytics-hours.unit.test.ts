import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inHours } from '#server/domains/answers/analytics/rules/filter';

const HOUR = 3_600_000;
const time = fc.oneof(
  fc.integer({ min: -5 * HOUR, max: 5 * HOUR }),
  fc.integer({ min: -5, max: 5 }).map((hour) => hour * HOUR),
);
const bound = fc.option(time, { nil: undefined });

interface Range {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

const holds = ({ start = -Infinity, end = Infinity }: Range, at: number) => start <= at && at < end;

describe('Hour ranges', () => {
  it('A range covers each of its moments exactly once, and by the hour only in whole hours', () => {
    fc.assert(
      fc.property(bound, bound, time, (a, b, at) => {
        fc.pre(a === undefined || b === undefined || a <= b);
        const { whole, edges } = inHours({ start: a, end: b });
        const parts = [...(whole === null ? [] : [whole]), ...edges];
        const found = parts.filter((part) => holds(part, at)).length;
        expect(found).toBe(holds({ start: a, end: b }, at) ? 1 : 0);
        for (const end of [whole?.start, whole?.end]) {
          expect(Math.abs((end ?? 0) % HOUR)).toBe(0);
        }
      }),
      { seed: 7, numRuns: 5000 },
    );
  });

  it('A range reads less than an hour at each end row by row', () => {
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [start, end] = a < b ? [a, b] : [b, a];
        const { edges } = inHours({ start, end });
        expect(edges.length).toBeLessThanOrEqual(2);
        for (const edge of edges) {
          expect((edge.end ?? Infinity) - (edge.start ?? -Infinity)).toBeLessThan(HOUR);
        }
      }),
      { seed: 7, numRuns: 2000 },
    );
  });
});
