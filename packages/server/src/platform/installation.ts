import type { Queryable, Statement } from './statement.js';

/** Begins every statement that reads or writes past the ledgers, for whoever sees what the database was sent. */
const ACROSS_LEDGERS = '/* across ledgers */ ';

/**
 * Access to the rows of all ledgers, for what is of an organisation or of the whole installation: credentials that name
 * their ledger, searches for due work, the operator's commands. Every other statement names its ledger for each of its
 * tables. Only composition roots make one; a test lists who uses it.
 */
export interface Installation {
  queryAcross<Row extends object>(statement: Statement): Promise<Row[]>;
  /** The same, as part of a transaction. */
  within(tx: Queryable): Installation;
}

export function installationOf(db: Queryable): Installation {
  return {
    queryAcross: ({ text, values, ...rest }) =>
      db.query({ text: `${ACROSS_LEDGERS}${text}`, values, ...rest }),
    within: installationOf,
  };
}
