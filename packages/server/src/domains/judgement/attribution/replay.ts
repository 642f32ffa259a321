import type { Ledger } from '../../../platform/ledger.js';
import { QUIETLY, rebuildProjection } from '../../../platform/projections/rebuild.js';
import { patterns } from './projections.js';

export interface Replay {
  /** Counts (by pattern and day) that the log of reviews gives. */
  readonly patterns: number;
  /** How many stored counts differed and were corrected. */
  readonly mended: number;
}

/**
 * Computes the counts of reviews again from the log of reviews, and corrects the stored ones. No figure depends on them, so
 * nothing is recorded.
 */
export async function replayReviews(ledger: Ledger): Promise<Replay> {
  const { rows, added, replaced, removed } = await rebuildProjection(ledger, patterns, QUIETLY);
  return { patterns: rows, mended: added + replaced + removed };
}
