import type { ChainName } from '../chain/head.js';
import type { Database } from '../database.js';
import type { Scope } from '../scope.js';
import type { Follower, Records } from './follower.js';
import { lockPosition, movePosition, selectPosition } from './positions.js';

/**
 * The next records of a log for a follower; null if it has taken all. The first step may have none.
 * @param limit the most records
 */
export async function nextRecords(
  db: Database,
  scope: Scope,
  follower: Follower,
  log: ChainName,
  limit: number,
): Promise<Records | null> {
  const { seq, head } = await selectPosition(db, scope, follower.name, log);
  if (seq !== null && head <= seq) return null;
  const after = seq ?? 0;
  const until = Math.min(head, after + limit);
  return { log, after, until, isLast: until === head };
}

/**
 * Reads and computes, then writes and moves the position in one transaction.
 * @returns false if another process moved the position meanwhile: nothing is written
 */
export async function take(
  db: Database,
  scope: Scope,
  follower: Follower,
  records: Records,
): Promise<boolean> {
  const { log, after, until } = records;
  try {
    const step = await follower.advance(db, scope, records);
    const isTaken = await db.transaction(async (tx) => {
      if ((await lockPosition(tx, scope, follower.name, log)) !== after) return false;
      await step.write(tx, scope);
      await movePosition(tx, scope, follower.name, log, until);
      return true;
    });
    if (isTaken) await step.committed?.(scope);
    return isTaken;
  } catch (error) {
    await follower.failed?.(scope, log, error);
    throw error;
  }
}

/**
 * Takes all records that the logs of a ledger have.
 * @throws what a step throws
 */
export async function catchUp(
  db: Database,
  scope: Scope,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  for (const log of follower.follows) {
    for (let isBehind = true; isBehind; ) {
      signal.throwIfAborted();
      const records = await nextRecords(db, scope, follower, log, follower.step);
      if (records === null) break;
      const isTaken = await take(db, scope, follower, records);
      isBehind = !(isTaken && records.isLast);
    }
  }
}
