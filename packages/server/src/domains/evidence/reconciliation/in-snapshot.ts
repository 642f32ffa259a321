import type { Database, Queryable } from '../../../platform/database.js';

/**
 * Reads a page of rows and their records in one snapshot of the database. A change commits both together,
 * so a row always agrees with the records of its snapshot, whatever is written at the same time.
 */
export function inSnapshot<Result>(
  db: Database,
  read: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.query({
      text: 'set transaction isolation level repeatable read, read only',
      values: [],
    });
    return read(tx);
  });
}
