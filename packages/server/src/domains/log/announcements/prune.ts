import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { Installation } from '../../../platform/statement.js';
import type { Ledger } from '../../../platform/ledger.js';
import {
  deleteOld,
  lockAnnouncementHead,
  selectPrunableLedgers,
  updatePruned,
} from './store/announcements.js';

const KEPT_MS = 7 * 24 * 3600 * 1000;
const STEP = 2000;

export interface PruneTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
}

/** Deletes announcements that are more than a week old, in short steps. */
export async function pruneAnnouncements({ db, installation, clock }: PruneTools): Promise<void> {
  const before = clock.now() - KEPT_MS;
  for (const scope of await selectPrunableLedgers(installation, before)) {
    let deleted = STEP;
    while (deleted === STEP) deleted = await pruneStep(db.ledger(scope), before);
  }
}

/** Locks the head first, in the same order as announcing and withdrawing. */
function pruneStep(ledger: Ledger, before: number): Promise<number> {
  return ledger.write(async (tx) => {
    await lockAnnouncementHead(tx);
    const deleted = await deleteOld(tx, before, STEP);
    if (deleted.length > 0) await updatePruned(tx, Math.max(...deleted));
    return deleted.length;
  });
}
