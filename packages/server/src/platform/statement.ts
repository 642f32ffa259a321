import sql, { raw, type Sql } from 'sql-template-tag';

/** A statement. A named statement is parsed once per connection. */
export type Statement = Pick<Sql, 'text' | 'values'> & {
  readonly name?: string;
  /** The topic that listeners are notified of after the commit: a ledger (UUID) or a job queue. */
  readonly notifies?: string;
};

/** Called with the bytes of each row, from its first field on. They are valid during the call only. */
export type TakeRow = (row: Buffer) => void;

/** Takes statements about anything in the database. A ledger takes none that does not name it, so it is not one. */
export interface Queryable {
  readonly ledgerId?: never;
  query<Row extends object>(statement: Statement): Promise<Row[]>;
  /** Passes on the rows of a query in binary form: see `copyOut`. */
  copy(statement: Statement, take: TakeRow): Promise<void>;
}

/** Begins each statement that reads or writes across ledgers, so that it stands out in the log of the database. */
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

/**
 * All ledgers, as a table to select from: a row of each that is on one node with its other rows, so that these can be
 * looked up beside it.
 */
export const LEDGERS = raw(`(select c.ledger_id, g.org_id, g.mode, g.created_at from chains c
  join ledgers g on g.ledger_id = c.ledger_id where c.chain = 'decisions')`);

/**
 * A time in ms as a PostgreSQL timestamp, exact to the millisecond. to_timestamp alone is inexact far
 * from 1970, which could repeat the last row of a page on the next one.
 */
export const instant = (ms: number): Sql =>
  sql`to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3)`;
