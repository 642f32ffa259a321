import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/database.js';
import { deleteOld } from './store/delete-old.js';
import { selectPrunableLedgers } from './store/select-prunable-ledgers.js';

const KEPT_MS = 7 * 24 * 3600 * 1000;
const STEP = 2000;

export interface PruneTools {
  readonly db: Database;
  readonly clock: Clock;
}

/** Deletes announcements that are more than a week old, in short steps. */
export async function pruneAnnouncements({ db, clock }: PruneTools): Promise<void> {
  const before = clock.now() - KEPT_MS;
  for (const scope of await selectPrunableLedgers(db, before)) {
    let deleted = STEP;
    while (deleted === STEP) deleted = await deleteOld(db, scope, before, STEP);
  }
}
