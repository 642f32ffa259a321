import type { Sql } from 'sql-template-tag';

/** A statement. A named statement is parsed once per connection. */
export type Statement = Pick<Sql, 'text' | 'values'> & {
  readonly name?: string;
  /** The topic that listeners are notified of after the commit: a ledger (UUID) or a job queue. */
  readonly notifies?: string;
};

/** Takes statements about anything in the database. A ledger takes none that does not name it, so it is not one. */
export interface Queryable {
  readonly ledgerId?: never;
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}
