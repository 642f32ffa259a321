import { describe, expect, it } from 'vitest';
import {
  type Extent,
  heightOf,
  type Position,
  scrolled,
  settled,
  TOP,
} from '#dashboard/components/data-table/use-window.ts';

const VIEW = 800;
/** Chromium and Safari allow 33.5 million pixels, Firefox 17.8 million. */
const TALLEST = 17_800_000;
const ROW = 37;
const extentOf = (rows: number): Extent => ({ total: rows * ROW, view: VIEW });
const endOf = ({ total }: Extent) => total - VIEW;
const barEnd = (extent: Extent) => heightOf(extent) - VIEW;

/** What a browser does with a wheel or a key: it moves the bar, but never beyond its ends. */
function turn(from: Position, by: number, extent: Extent): Position {
  const bar = Math.max(0, Math.min(barEnd(extent), from.bar + by));
  return scrolled(from, bar, extent);
}

describe('The scroll range of a list', () => {
  it('Is the list itself while no browser cuts it off', () => {
    const extent = extentOf(200_000);
    expect(heightOf(extent)).toBe(extent.total);
    for (const bar of [0, 123, 5_000_000, barEnd(extent)]) {
      expect(scrolled(TOP, bar, extent)).toEqual({ bar, list: bar });
    }
  });

  it.each([1_000_000, 10_000_000])('Is allowed by every browser for %d rows', (rows) => {
    expect(heightOf(extentOf(rows))).toBeLessThan(TALLEST);
  });

  it.each([1_000_000, 10_000_000])('Reaches both ends of %d rows by the bar', (rows) => {
    const extent = extentOf(rows);
    const end = scrolled(TOP, barEnd(extent), extent);
    expect(end.list).toBe(endOf(extent));
    expect(scrolled(end, 0, extent)).toEqual(TOP);
    const middle = scrolled(TOP, Math.round(barEnd(extent) / 2), extent);
    expect(middle.list / endOf(extent)).toBeCloseTo(0.5, 3);
  });

  it.each([100, -100, 720, -720])('Moves by as many pixels as the wheel or a key: %d', (by) => {
    const extent = extentOf(10_000_000);
    const moves = new Set<number>();
    for (const share of [0.1, 0.3, 0.5, 0.9]) {
      let at = scrolled(TOP, Math.round(barEnd(extent) * share), extent);
      for (let turns = 0; turns < 4000; turns += 1) {
        const next = turn(at, by, extent);
        moves.add(next.list - at.list);
        at = next;
      }
    }
    expect([...moves]).toEqual([by]);
  });

  it('Reaches the first row by the wheel from wherever the bar was dropped', () => {
    const extent = extentOf(10_000_000);
    for (const bar of [900, 5000, 400_000, 999_999, 1_000_001, 1_001_000]) {
      let at = scrolled(TOP, bar, extent);
      let turns = 0;
      while (at.list > 0 && turns < 1_000_000) {
        at = turn(at, -700, extent);
        turns += 1;
      }
      expect(at).toEqual(TOP);
    }
  });

  it('Reaches the last row by the wheel', () => {
    const extent = extentOf(1_000_000);
    let at = scrolled(TOP, barEnd(extent) - 1_300_000, extent);
    for (let turns = 0; at.list < endOf(extent) && turns < 100_000; turns += 1) {
      at = turn(at, 700, extent);
    }
    expect(at).toEqual({ bar: barEnd(extent), list: endOf(extent) });
  });

  it('Leaves space below when a list that is at its end grows', () => {
    let at: Position = TOP;
    const wrong: number[] = [];
    for (let rows = 300_000; rows < 1_200_000; rows += 100) {
      const extent = extentOf(rows);
      at = settled(at, extent);
      const before = at.list;
      for (let turns = 0; turns < 4; turns += 1) at = turn(at, 790, extent);
      if (at.list !== Math.min(before + 4 * 790, endOf(extent))) wrong.push(rows);
    }
    expect(wrong).toEqual([]);
  });
});
