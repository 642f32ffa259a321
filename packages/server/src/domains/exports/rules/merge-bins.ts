import { isFew } from './protect-counts.js';

/** How many there are from one bound up to another; null for no bound. */
export interface Bin {
  readonly from: number;
  readonly to: number | null;
  readonly count: number;
}

/**
 * Bins of a histogram, side by side, made one wherever a count above zero is below LEAST_SHOWN: with
 * the nearest that is not empty. Null where all of them together are too few.
 */
export function mergeBins(bins: readonly Bin[]): Bin[] | null {
  const merged = [...bins];
  for (;;) {
    const at = merged.findIndex(({ count }) => isFew(count));
    if (at < 0) return merged;
    const other = nearestFilled(merged, at);
    if (other === null) return null;
    const [first, last] = [Math.min(at, other), Math.max(at, other)];
    merged.splice(first, last - first + 1, joined(merged.slice(first, last + 1)));
  }
}

/**
 * The sum of histograms, in bins whose bounds all of them have: it tells nothing that they do not.
 */
export function sumBins(histograms: readonly (readonly Bin[])[]): Bin[] {
  const [first, ...others] = histograms;
  if (first === undefined) return [];
  const ends = first
    .map(({ to }) => to)
    .filter((end) => others.every((bins) => bins.some(({ to }) => to === end)));
  let from = first[0]?.from ?? 0;
  return ends.map((to) => {
    const within = histograms.flatMap((bins) =>
      bins.filter((bin) => bin.from >= from && (to === null || (bin.to !== null && bin.to <= to))),
    );
    const bin = { from, to, count: within.reduce((sum, { count }) => sum + count, 0) };
    from = to ?? from;
    return bin;
  });
}

/** Of two that are as near, the one with fewer: that keeps more bins. */
function nearestFilled(bins: readonly Bin[], at: number): number | null {
  const filled = [...bins.entries()].filter(([place, { count }]) => place !== at && count > 0);
  const distance = (place: number) => Math.abs(place - at);
  const [nearest] = filled.sort(
    ([i, a], [j, b]) => distance(i) - distance(j) || a.count - b.count || i - j,
  );
  return nearest === undefined ? null : nearest[0];
}

function joined(bins: readonly Bin[]): Bin {
  return {
    from: bins[0]?.from ?? 0,
    to: bins.at(-1)?.to ?? null,
    count: bins.reduce((sum, { count }) => sum + count, 0),
  };
}
