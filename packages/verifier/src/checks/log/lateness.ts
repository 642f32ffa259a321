import { CHANGE_MS, type LatenessLimit } from '@decision-ledger/proof/bundle/lateness';
import type { Run } from '../run.js';

/** An entry that was recorded later than the activity chain allowed. */
export interface LateEntry {
  readonly seq: number;
  readonly message: string;
}

/**
 * Finds the entries of a run that break the limit of lateness. For five minutes after a change, none applies.
 * @param limits in the order of their times
 */
export function* lateEntries(run: Run, limits: readonly LatenessLimit[]): Generator<LateEntry> {
  if (limits.length === 0) return;
  for (const { seq, time, recorded } of run.times()) {
    const seconds = limitAt(limits, recorded);
    if (seconds === null || recorded - time <= seconds * 1000) continue;
    const message = `The decision is dated ${iso(time)} and was recorded at ${iso(recorded)}, later than the limit of ${seconds} seconds allowed.`;
    yield { seq, message };
  }
}

/** The limit at a time (ms), found by halving; null if there is none or it has just changed. */
function limitAt(limits: readonly LatenessLimit[], time: number): number | null {
  let [low, high] = [0, limits.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((limits[middle]?.at ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  const standing = limits[low - 1];
  const isKnown = standing !== undefined && time > standing.at + CHANGE_MS;
  return isKnown ? standing.seconds : null;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
