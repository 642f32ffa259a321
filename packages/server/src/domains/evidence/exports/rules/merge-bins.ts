import { isFew } from './protect-counts.js';

/** The count from one bound to another; null for no bound. */
export interface Bin {
  readonly from: number;
  readonly to: number | null;
  readonly count: number;
}

/**
 * Merges adjacent bins from the left. A bin with a count above zero and below MIN_SHOWN absorbs the bins
 * after it until it has enough; a rest at the end joins the last bin that is not empty. Null if all bins
 * together have too few. Each step depends only on whether a count is enough, so that the bounds reveal
 * nothing else.
 */
export function mergeBins(bins: readonly Bin[]): Bin[] | null {
  const merged: Bin[] = [];
  for (const bin of bins) {
    const last = merged.at(-1);
    if (last !== undefined && isFew(last.count)) merged[merged.length - 1] = joined([last, bin]);
    else merged.push(bin);
  }
  if (!isFew(merged.at(-1)?.count ?? 0)) return merged;
  const filled = merged.slice(0, -1).findLastIndex(({ count }) => count > 0);
  return filled < 0 ? null : [...merged.slice(0, filled), joined(merged.slice(filled))];
}

/** The sum of histograms, in bins whose bounds all of them share, so that it reveals no more than they do. */
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

function joined(bins: readonly Bin[]): Bin {
  return {
    from: bins[0]?.from ?? 0,
    to: bins.at(-1)?.to ?? null,
    count: bins.reduce((sum, { count }) => sum + count, 0),
  };
}
