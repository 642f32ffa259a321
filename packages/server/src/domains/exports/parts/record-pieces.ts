import { Type } from 'typebox';
import { Parse } from 'typebox/value';
import type { Piece } from './part.js';

/** How a file of records is put together. */
export interface RecordFile<Row> {
  readonly head: string;
  readonly between: string;
  /** Behind the last record, and behind the head of a file without any. */
  readonly tail: string;
  /** The records behind one, the first ones for null; none at the end. */
  page(after: string | null): Promise<readonly Row[]>;
  /** Null leaves a record out. */
  line(row: Row): string | null;
  position(row: Row): string;
}

/** Behind the last piece. */
const END = 'end';

/** Whether a record was written before, and behind which one to go on. */
const Place = Type.Object({ hasRecords: Type.Boolean(), after: Type.String() });

/** One piece a page, and one that closes the file. */
export async function* recordPieces<Row>(
  file: RecordFile<Row>,
  from: string | null,
): AsyncGenerator<Piece> {
  for (let place = readPlace(from); place !== END; ) {
    const rows = await file.page(place.after);
    const last = rows.at(-1);
    const lines = rows.map((row) => file.line(row)).filter((line) => line !== null);
    const head = place.after === null ? file.head : '';
    const between = place.hasRecords && lines.length > 0 ? file.between : '';
    const tail = last === undefined ? file.tail : '';
    const text = head + between + lines.join(file.between) + tail;
    const hasRecords = place.hasRecords || lines.length > 0;
    place = last === undefined ? END : { hasRecords, after: file.position(last) };
    yield { text, next: place === END ? END : JSON.stringify(place), records: lines.length };
  }
}

function readPlace(from: string | null): { hasRecords: boolean; after: string | null } | 'end' {
  if (from === null) return { hasRecords: false, after: null };
  return from === END ? END : Parse(Place, JSON.parse(from));
}
