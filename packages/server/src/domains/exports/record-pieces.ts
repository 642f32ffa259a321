import type { Piece } from './part.js';

/** How a file of records is put together. */
export interface RecordFile<Row> {
  readonly head: string;
  readonly between: string;
  /** Behind the last record, and behind the head of a file without any. */
  readonly tail: string;
  /** The records behind one, the first ones for null; none at the end. */
  page(after: string | null): Promise<readonly Row[]>;
  line(row: Row): string;
  position(row: Row): string;
}

/** Behind the last piece. */
const END = 'end';

/** One piece a page, and one that closes the file. */
export async function* recordPieces<Row>(
  file: RecordFile<Row>,
  from: string | null,
): AsyncGenerator<Piece> {
  for (let after = from; after !== END; ) {
    const rows = await file.page(after);
    const last = rows.at(-1);
    const begin = after === null ? file.head : last === undefined ? '' : file.between;
    const next = last === undefined ? END : file.position(last);
    const lines = rows.map((row) => file.line(row)).join(file.between);
    const end = last === undefined ? file.tail : '';
    yield { text: `${begin}${lines}${end}`, next, records: rows.length };
    after = next;
  }
}
