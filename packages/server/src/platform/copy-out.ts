import pg from 'pg';
import type { Statement, TakeRow } from './statement.js';

/** Signature, flags and the length of an extension, before the first row. */
const HEADER_BYTES = 19;
const COUNT_BYTES = 2;

/**
 * Reads the rows of a query in PostgreSQL's binary format of COPY: each field as its length (32 bits; -1 is NULL) and
 * its bytes. It costs a fifth of what the driver's objects cost.
 */
export function copyOut(client: pg.ClientBase, statement: Statement, take: TakeRow): Promise<void> {
  return new Promise((resolve, reject) => {
    const query = new CopyOut(statement, take, (error) => (error ? reject(error) : resolve()));
    client.query(query);
  });
}

class CopyOut extends pg.Query {
  readonly #take: TakeRow;
  #isFirst = true;
  #failure: { readonly error: unknown } | undefined;

  constructor(statement: Statement, take: TakeRow, settle: (error: unknown) => void) {
    super({ text: statement.text }, (error) => settle(error ?? this.#failure?.error));
    this.#take = take;
    this.submit = (connection) =>
      connection.query(`copy (${withLiterals(statement)}) to stdout (format binary)`);
  }

  /** The driver calls it for each row, and once for the end. An error here would end the process. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const start = this.#isFirst ? HEADER_BYTES : 0;
    this.#isFirst = false;
    if (this.#failure !== undefined || chunk.length <= start + COUNT_BYTES) return;
    try {
      this.#take(chunk.subarray(start + COUNT_BYTES));
    } catch (error) {
      this.#failure = { error };
    }
  }
}

/** COPY takes no parameters. */
function withLiterals({ text, values }: Statement): string {
  return text.replaceAll(/\$(\d+)/g, (_, place) => {
    const value = values[Number(place) - 1];
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return pg.escapeLiteral(value);
    throw new TypeError('COPY takes numbers and texts');
  });
}
