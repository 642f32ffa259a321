import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { Installation } from '../../../platform/statement.js';
import { dropExpired, selectLedgersWithExpired } from './store/uploads.js';

export interface ExpireTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly installation: Installation;
}

/** Deletes uploads that no decision has taken in time, in short steps. */
export async function expireUploads({ db, installation, clock }: ExpireTools): Promise<void> {
  const now = clock.now();
  for (const scope of await selectLedgersWithExpired(installation, now)) {
    const ledger = db.ledger(scope);
    while ((await ledger.write((tx) => dropExpired(tx, now))) > 0) {
      // Each step is a transaction of its own.
    }
  }
}
