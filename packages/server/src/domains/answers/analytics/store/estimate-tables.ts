import { join, type Sql, default as sql } from 'sql-template-tag';

/** The estimates of a ledger, stored or not. */
export interface EstimateTables {
  /** Tables with the columns of `liability_estimates`; no decision is in two of them. */
  readonly sources: readonly Sql[];
}

/** The same as one table. */
export function estimatesTable({ sources }: EstimateTables): Sql {
  const [only] = sources;
  if (sources.length === 1 && only !== undefined) return only;
  return sql`(${join(
    sources.map((source) => sql`select * from ${source} as source`),
    ' union all ',
  )})`;
}
