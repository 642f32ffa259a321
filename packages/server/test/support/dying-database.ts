import type { Database } from '#server/platform/database';
import { databaseWith, transactionWith } from './own-database.js';

const death = () => new Error('the process has died');

/**
 * A database that fails after this many calls, as if the process had died. A call is a statement or
 * a whole transaction, so a crash between two calls is simulated.
 */
export function dyingAfter(db: Database, calls: number): Database {
  let left = calls;
  const count = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (left === 0) throw death();
    left -= 1;
    return call();
  };
  return databaseWith(db, {
    query: (statement) => count(() => db.query(statement)),
    transaction: (work) => count(() => db.transaction(work)),
  });
}

/** A database that fails at the n-th statement inside transactions, counted over all of them. */
export function dyingInside(db: Database, statements: number): Database {
  let left = statements;
  const count = () => {
    if (left === 0) throw death();
    left -= 1;
  };
  return databaseWith(db, {
    query: async (statement) => {
      count();
      return db.query(statement);
    },
    transaction: (work) =>
      db.transaction((tx) =>
        work(
          transactionWith(tx, async (statement) => {
            count();
            return tx.query(statement);
          }),
        ),
      ),
  });
}
