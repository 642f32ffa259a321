/** Smallest count above zero that is shown; also applies to the rest of the group. */
export const MIN_SHOWN = 5;

/** The size of a group, and the count of its members with a trait. */
export interface Counted {
  readonly of: number;
  readonly count: number;
}

export interface Protected {
  /** Whether the count of each group may be shown. */
  readonly shown: readonly boolean[];
  /** Whether the sum of all counts may be shown too. */
  readonly total: boolean;
}

export function isFew(count: number): boolean {
  return count > 0 && count < MIN_SHOWN;
}

/**
 * Which counts of disjoint groups of known sizes may be shown. A count is small if it, or the rest of its
 * group, is above zero and below MIN_SHOWN. The counts of the smallest groups are hidden: up to the
 * last small count, and as many more as needed so that none follows from the sum. If that is
 * impossible, all counts and the sum are hidden. The hidden counts are chosen only by the size of their
 * group, so that the choice reveals only that one of them is small.
 */
export function protectCounts(groups: readonly Counted[]): Protected {
  const bySize = [...groups.entries()].sort(([i, a], [j, b]) => a.of - b.of || i - j);
  const lastSmall = bySize.findLastIndex(([, group]) => isSmall(group));
  if (lastSmall < 0) return { shown: groups.map(() => true), total: true };
  for (let size = Math.max(2, lastSmall + 1); size <= groups.length; size += 1) {
    const hidden = bySize.slice(0, size);
    if (!leavesOpen(hidden.map(([, group]) => group))) continue;
    const places = new Set(hidden.map(([at]) => at));
    return { shown: groups.map((_, at) => !places.has(at)), total: true };
  }
  return { shown: groups.map(() => false), total: false };
}

function isSmall({ of, count }: Counted): boolean {
  return isFew(count) || isFew(of - count);
}

/** Whether the sum is not small, and leaves at least three possible values for each hidden count. */
function leavesOpen(hidden: readonly Counted[]): boolean {
  const sum = hidden.reduce((total, { count }) => total + count, 0);
  const of = hidden.reduce((total, group) => total + group.of, 0);
  if (isFew(sum) || isFew(of - sum)) return false;
  return hidden.every((group) => {
    const max = Math.min(group.of - 1, sum - (hidden.length - 1));
    const min = Math.max(1, sum - (of - group.of - (hidden.length - 1)));
    return max - min >= 2;
  });
}

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
