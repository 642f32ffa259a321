import type { Database } from '#server/platform/database';

const death = () => new Error('the process has died');

/**
 * A database that answers so many calls and no more, as if the process had died there. A call is a
 * statement or a whole transaction: what stands between two of them is what a crash can cut.
 */
export function dyingAfter(db: Database, calls: number): Database {
  let left = calls;
  const count = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (left === 0) throw death();
    left -= 1;
    return call();
  };
  return {
    ...db,
    query: (statement) => count(() => db.query(statement)),
    transaction: (work) => count(() => db.transaction(work)),
  };
}

/** A database whose transactions die at their n-th statement, all of them taken together. */
export function dyingInside(db: Database, statements: number): Database {
  let left = statements;
  const count = () => {
    if (left === 0) throw death();
    left -= 1;
  };
  return {
    ...db,
    query: async (statement) => {
      count();
      return db.query(statement);
    },
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          commit: () => tx.commit(),
          query: async (statement) => {
            count();
            return tx.query(statement);
          },
        }),
      ),
  };
}
