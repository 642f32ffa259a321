import { sampleWeight } from '@decision-ledger/attribution/frequencies';
import { describe, expect, it } from 'vitest';
import { createIdFactory } from '#server/platform/ids';

/** A stream of bytes that is the same in every run (xorshift32). */
function seededBytes(): (size: number) => Uint8Array {
  let state = 2_463_534_242;
  return (size) =>
    Uint8Array.from({ length: size }, () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 0xff;
    });
}

describe('Sample for value counts', () => {
  let now = Date.UTC(2026, 3, 16);
  const ids = createIdFactory({ clock: { now: () => (now += 3) }, randomBytes: seededBytes() });

  it('Each of the first 10,000 decisions is sampled with weight 1', () => {
    for (let seq = 1; seq <= 10_000; seq += 37) expect(sampleWeight(seq, ids.uuid())).toBe(1);
    expect(sampleWeight(10_000, ids.uuid())).toBe(1);
  });

  it.each([
    [10_001, 100_000, 10],
    [100_001, 500_000, 100],
  ])(
    'From decision %d to %d, one in %d is sampled, with that weight',
    (from, to, weight) => {
      let [all, sampled, held] = [0, 0, 0];
      for (let seq = from; seq <= to; seq++) {
        const one = sampleWeight(seq, ids.uuid());
        all += one;
        if (one > 0) sampled += 1;
        if (seq % 7 === 0) held += one;
      }
      const count = to - from + 1;
      // About six standard deviations.
      const within = 6 * Math.sqrt(count * (weight - 1));
      expect(Math.abs(all - count)).toBeLessThan(within);
      expect(Math.abs(held - count / 7)).toBeLessThan(within);
      expect(Math.abs(sampled - count / weight)).toBeLessThan(within / weight);
    },
    60_000,
  );

  it('A decision always gets the same sample weight', () => {
    for (let seq = 10_001; seq < 10_300; seq++) {
      const id = ids.uuid();
      expect(sampleWeight(seq, id)).toBe(sampleWeight(seq, id));
    }
  });
});
