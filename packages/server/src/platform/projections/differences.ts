import sql, { raw, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../ledger.js';

/** A row that differs from the one that should be there. Rows are JSON texts of their columns, without the ledger. */
export interface RowDifference {
  /** JSON: the columns that name the row. */
  readonly key: string;
  /** Null: there should be no such row. */
  readonly expected: string | null;
  /** Null: the row is missing. */
  readonly actual: string | null;
}

export interface Comparison {
  /** How many rows there should be. */
  readonly rows: number;
  readonly differences: readonly RowDifference[];
  /** Rows that cannot be judged now, and why. */
  readonly skipped?: { readonly rows: number; readonly reason: string };
}

/** Some columns of a table: those that name a row, and those that are compared. */
export interface ComparedColumns {
  readonly table: string;
  readonly key: readonly string[];
  readonly values: readonly string[];
}

/**
 * Compares stored rows with those that should be there, in one statement.
 * @param expected a query that gives the columns
 * @param stored a condition on the table: which of its rows should be those
 */
export async function compareRows(
  ledger: LedgerReader,
  { table, key, values }: ComparedColumns,
  expected: Sql,
  stored: Sql,
): Promise<Comparison> {
  const columns = raw([...key, ...values].map(quoted).join(', '));
  const keyOf = (row: string) =>
    `json_build_object(${key.map((name) => `'${name}', ${row}.${quoted(name)}`).join(', ')})::text`;
  const same = raw(key.map((name) => `e.${quoted(name)} = a.${quoted(name)}`).join(' and '));
  const [comparison] = await ledger.query<Comparison>(sql`
    with e as materialized (select ${columns} from (${expected}) made)
    select (select count(*) from e) as rows, coalesce(json_agg(d), '[]') as differences from (
      select coalesce(e.key, a.key) as key, e.row::text as expected, a.row::text as actual
      from (select *, ${raw(keyOf('e'))} as key, to_jsonb(e) as row from e) e
      full join (
        select *, ${raw(keyOf('s'))} as key, to_jsonb(s) as row from (
          select ${columns} from ${raw(table)} where ledger_id = ${ledger.ledgerId} and ${stored}
        ) s
      ) a on ${same}
      where e.row is distinct from a.row
      order by 1
    ) d`);
  return comparison ?? { rows: 0, differences: [] };
}

/** Rows that were made in this process, as a query. @param rows values as JSON has them: decimals and times as texts */
export function madeRows(table: string, rows: readonly object[]): Sql {
  return sql`select * from json_populate_recordset(null::${raw(table)}, ${JSON.stringify(rows)}::json)`;
}

/** The rows of a table of which there should be none, as a query. */
export function noRows(table: string): Sql {
  return madeRows(table, []);
}

/** Strings and numbers of a JSON text. */
const SCALARS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The columns of a row, numbers as texts: a decimal has more digits than a number of JavaScript. */
export function rowOf(json: string): Readonly<Record<string, unknown>> {
  const exact = json.replace(SCALARS, (part) => (part.startsWith('"') ? part : `"${part}"`));
  const row: unknown = JSON.parse(exact);
  return typeof row === 'object' && row !== null ? { ...row } : {};
}

/** The JSON texts of rows, as the text of one array, for `json_populate_recordset`. */
export function rowsText(rows: readonly (string | null)[]): string {
  return `[${rows.filter((row) => row !== null).join()}]`;
}

/** Deletes what differs, then inserts what should be there: a row that changed is replaced as a whole. */
export async function replaceRows(
  differences: readonly RowDifference[],
  remove: (keys: string) => Promise<unknown>,
  insert: (rows: string) => Promise<unknown>,
): Promise<void> {
  const removed = differences.filter(({ actual }) => actual !== null).map(({ key }) => key);
  const inserted = differences.map(({ expected }) => expected);
  if (removed.length > 0) await remove(rowsText(removed));
  if (inserted.some((row) => row !== null)) await insert(rowsText(inserted));
}

function quoted(name: string): string {
  return `"${name}"`;
}
