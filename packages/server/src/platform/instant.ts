import sql, { type Sql } from 'sql-template-tag';

/**
 * A time (ms) as PostgreSQL compares it, exact to the millisecond. By itself to_timestamp misses it
 * far from 1970, so that a page could begin with the row behind which it was asked for.
 */
export const instant = (ms: number): Sql =>
  sql`to_timestamp(${ms}::bigint / 1000.0)::timestamptz(3)`;
