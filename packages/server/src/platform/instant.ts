import sql, { type Sql } from 'sql-template-tag';

/**
 * A time in ms as a PostgreSQL timestamp, exact to the millisecond. to_timestamp alone is inexact far
 * from 1970, which could repeat the last row of a page on the next one.
 */
export const instant = (ms: number): Sql =>
  sql`to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3)`;
