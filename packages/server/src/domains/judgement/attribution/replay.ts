import { lockHead } from '../../../platform/chain/lock-head.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  addToPattern,
  deletePatterns,
  type PatternRow,
  selectPatterns,
} from './store/agent-patterns.js';
import { selectReplayedPatterns } from './store/link-reviews.js';

export interface Replay {
  /** Counts (by pattern and day) that the log of reviews gives. */
  readonly patterns: number;
  /** How many stored counts differed and were corrected. */
  readonly mended: number;
}

/** Computes the counts of reviews again from the log of reviews, and corrects the stored ones. */
export async function replayReviews(ledger: Ledger): Promise<Replay> {
  return ledger.write(async (tx) => {
    await lockHead(tx, 'activity');
    const replayed = await selectReplayedPatterns(tx);
    const stored = await selectPatterns(tx, 0);
    const known = new Set(stored.map(textOf));
    const missing = replayed.filter((row) => !known.has(textOf(row))).length;
    const mended = missing + (stored.length - (replayed.length - missing));
    if (mended > 0) {
      await deletePatterns(tx);
      for (const row of replayed) await addToPattern(tx, row);
    }
    return { patterns: replayed.length, mended };
  });
}

function textOf(row: PatternRow): string {
  const { event_type, action_type, agent_id, day, confirmed, rejected } = row;
  return JSON.stringify([event_type, action_type, agent_id, day, confirmed, rejected]);
}
