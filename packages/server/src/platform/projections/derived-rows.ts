import sql, { raw, type Sql } from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../ledger.js';

/** A row that differs from the one that should be there. Rows are JSON texts of their columns, without the ledger. */
export interface RowDifference {
  /** JSON: the columns that name the row. */
  readonly key: string;
  /** Null: there should be no such row. */
  readonly expected: string | null;
  /** Null: the row is missing. */
  readonly actual: string | null;
}

export interface RowComparison {
  /** How many rows there should be. */
  readonly rows: number;
  readonly differences: readonly RowDifference[];
}

/** What is compared of a table. */
interface Columns {
  /** Those that name a row of a ledger; none if a ledger has one row. */
  readonly key: readonly string[];
  readonly values: readonly string[];
}

/**
 * Rows of a table that follow from others. Only the owner of a table may create this: whoever has it can change the table.
 */
export class DerivedRows {
  readonly #table: Sql;
  readonly #key: readonly string[];
  readonly #values: readonly string[];

  constructor(table: string, { key, values }: Columns) {
    this.#table = raw(table);
    this.#key = key;
    this.#values = values;
  }

  /** Rows that were made in this process, as a query. @param rows values as JSON has them: decimals and times as texts */
  made(rows: readonly object[]): Sql {
    return this.#parsed(JSON.stringify(rows));
  }

  /**
   * Compares stored rows with those that should be there, in one statement.
   * @param expected a query that gives the columns
   * @param stored a condition on the table: which of its rows should be those
   */
  async compare(ledger: LedgerReader, expected: Sql, stored: Sql): Promise<RowComparison> {
    const columns = this.#columns();
    const keyOf = (row: string) =>
      raw(`json_build_object(${this.#key.map((name) => `'${name}', ${row}."${name}"`)})::text`);
    const [comparison] = await ledger.query<RowComparison>(sql`
      with e as materialized (select ${columns} from (${expected}) made)
      select (select count(*) from e) as rows, coalesce(json_agg(d), '[]') as differences from (
        select coalesce(e.key, a.key) as key, e.row::text as expected, a.row::text as actual
        from (select *, ${keyOf('e')} as key, to_jsonb(e) as row from e) e
        full join (
          select *, ${keyOf('s')} as key, to_jsonb(s) as row from (
            select ${columns} from ${this.#table} where ledger_id = ${ledger.ledgerId} and ${stored}
          ) s
        ) a on ${this.#same('e', 'a')}
        where e.row is distinct from a.row
        order by 1
      ) d`);
    return comparison ?? { rows: 0, differences: [] };
  }

  /**
   * Stores the rows as they should be. Only the owner of the database may change most tables so.
   * @returns how many rows were changed: fewer than differ if some are not as they were when they were compared
   */
  async replace(tx: LedgerWriter, differences: readonly RowDifference[]): Promise<number> {
    const removed: string[] = [];
    const added: string[] = [];
    const changed: string[] = [];
    for (const { key, expected, actual } of differences) {
      if (expected === null) removed.push(key);
      else (actual === null ? added : changed).push(expected);
    }
    let count = 0;
    if (removed.length > 0) count += await countOf(tx, this.#removal(tx.ledgerId, removed));
    if (changed.length > 0) count += await countOf(tx, this.#change(tx.ledgerId, changed));
    if (added.length > 0) count += await countOf(tx, this.#addition(tx.ledgerId, added));
    return count;
  }

  #removal(ledgerId: string, keys: readonly string[]): Sql {
    return sql`
      delete from ${this.#table} t using (${this.#parsed(`[${keys}]`)}) n
      where t.ledger_id = ${ledgerId} and ${this.#same('t', 'n')}`;
  }

  #change(ledgerId: string, rows: readonly string[]): Sql {
    const assigned = raw(this.#values.map((name) => `"${name}" = n."${name}"`).join(', '));
    return sql`
      update ${this.#table} t set ${assigned} from (${this.#parsed(`[${rows}]`)}) n
      where t.ledger_id = ${ledgerId} and ${this.#same('t', 'n')}`;
  }

  #addition(ledgerId: string, rows: readonly string[]): Sql {
    const columns = this.#columns();
    return sql`
      insert into ${this.#table} (ledger_id, ${columns})
      select own.ledger_id, ${columns}
      from ${ownRow(ledgerId)} as own, (${this.#parsed(`[${rows}]`)}) n`;
  }

  #columns(): Sql {
    return raw([...this.#key, ...this.#values].map((name) => `"${name}"`).join(', '));
  }

  /** @param json an array of rows */
  #parsed(json: string): Sql {
    return sql`select * from json_populate_recordset(null::${this.#table}, ${json}::json)`;
  }

  #same(one: string, other: string): Sql {
    const pairs = this.#key.map((name) => `${one}."${name}" = ${other}."${name}"`);
    return raw(pairs.length === 0 ? 'true' : pairs.join(' and '));
  }
}

async function countOf(tx: LedgerWriter, change: Sql): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`with changed as (${change} returning 1) select count(*) as count from changed`,
  );
  return row?.count ?? 0;
}

/** Strings and numbers of a JSON text. */
const SCALARS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The columns of a row, numbers as texts: a decimal has more digits than a number of JavaScript. */
export function rowOf(json: string): Readonly<Record<string, unknown>> {
  const exact = json.replace(SCALARS, (part) => (part.startsWith('"') ? part : `"${part}"`));
  const row: unknown = JSON.parse(exact);
  return typeof row === 'object' && row !== null ? { ...row } : {};
}
