import sql, { type Sql } from 'sql-template-tag';

/** Some decisions by their places in the chain, or all from one place to another. */
export type WhichDecisions =
  | { readonly seqs: readonly number[] }
  | { readonly after: number; readonly until: number };

/** @param seq a column of this program's own, such as `e.seq` */
export function isAmong(seq: Sql, which: WhichDecisions): Sql {
  return 'seqs' in which
    ? sql`${seq} = any(${which.seqs}::bigint[])`
    : sql`${seq} > ${which.after} and ${seq} <= ${which.until}`;
}
