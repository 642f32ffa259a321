/** A count above zero is shown from here on, and so is what is left of its group. */
export const LEAST_SHOWN = 5;

/** How many of a group have a trait. */
export interface Counted {
  readonly of: number;
  readonly count: number;
}

export interface Protected {
  /** Whether the count of each group may be shown. */
  readonly shown: readonly boolean[];
  /** Whether the sum of all counts may be shown beside those. */
  readonly total: boolean;
}

export function isFew(count: number): boolean {
  return count > 0 && count < LEAST_SHOWN;
}

/**
 * Which counts of disjoint groups may be shown, where it is known how large each group is. A count
 * is small if it, or what is left of its group, is above zero and below LEAST_SHOWN. Hidden are the
 * counts of the smallest groups up to the last one with a small count, and of as many more as it takes
 * that the sum of all leaves each of them open; where nothing helps, all counts and the sum. That
 * the hidden ones are found by the size of their group alone is what keeps it from telling more, to
 * somebody who knows this rule, than that one of them is small.
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

/** Whether the sum is no small count itself, and leaves each of the hidden ones three values or more. */
function leavesOpen(hidden: readonly Counted[]): boolean {
  const sum = hidden.reduce((total, { count }) => total + count, 0);
  const of = hidden.reduce((total, group) => total + group.of, 0);
  if (isFew(sum) || isFew(of - sum)) return false;
  return hidden.every((group) => {
    const most = Math.min(group.of - 1, sum - (hidden.length - 1));
    const least = Math.max(1, sum - (of - group.of - (hidden.length - 1)));
    return most - least >= 2;
  });
}
