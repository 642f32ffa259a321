import sql, { raw, type Sql } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../ledger.js';

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
  /** Those that name a row of a ledger. */
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

  /** Stores the rows as they should be. Only the owner of the database may change most tables so. */
  async replace(tx: LedgerWriter, differences: readonly RowDifference[]): Promise<void> {
    const removed: string[] = [];
    const added: string[] = [];
    const changed: string[] = [];
    for (const { key, expected, actual } of differences) {
      if (expected === null) removed.push(key);
      else (actual === null ? added : changed).push(expected);
    }
    if (removed.length > 0) await this.#remove(tx, removed);
    if (changed.length > 0) await this.#change(tx, changed);
    if (added.length > 0) await this.#add(tx, added);
  }

  async #remove(tx: LedgerWriter, keys: readonly string[]): Promise<void> {
    await tx.query(sql`
      delete from ${this.#table} t using (${this.#parsed(`[${keys}]`)}) n
      where t.ledger_id = ${tx.ledgerId} and ${this.#same('t', 'n')}`);
  }

  async #change(tx: LedgerWriter, rows: readonly string[]): Promise<void> {
    const assigned = raw(this.#values.map((name) => `"${name}" = n."${name}"`).join(', '));
    await tx.query(sql`
      update ${this.#table} t set ${assigned} from (${this.#parsed(`[${rows}]`)}) n
      where t.ledger_id = ${tx.ledgerId} and ${this.#same('t', 'n')}`);
  }

  async #add(tx: LedgerWriter, rows: readonly string[]): Promise<void> {
    const columns = this.#columns();
    await tx.query(sql`
      insert into ${this.#table} (ledger_id, ${columns})
      select ${tx.ledgerId}, ${columns} from (${this.#parsed(`[${rows}]`)}) n`);
  }

  #columns(): Sql {
    return raw([...this.#key, ...this.#values].map((name) => `"${name}"`).join(', '));
  }

  /** @param json an array of rows */
  #parsed(json: string): Sql {
    return sql`select * from json_populate_recordset(null::${this.#table}, ${json}::json)`;
  }

  #same(one: string, other: string): Sql {
    return raw(this.#key.map((name) => `${one}."${name}" = ${other}."${name}"`).join(' and '));
  }
}

/** Strings and numbers of a JSON text. */
const SCALARS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The columns of a row, numbers as texts: a decimal has more digits than a number of JavaScript. */
export function rowOf(json: string): Readonly<Record<string, unknown>> {
  const exact = json.replace(SCALARS, (part) => (part.startsWith('"') ? part : `"${part}"`));
  const row: unknown = JSON.parse(exact);
  return typeof row === 'object' && row !== null ? { ...row } : {};
}
