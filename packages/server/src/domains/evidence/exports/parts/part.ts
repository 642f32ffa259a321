import { ARRAY_FRAME, type Frame, RECORD_SEPARATOR } from '@decision-ledger/proof/bundle/frame';
import { Type } from 'typebox';
import { Parse } from 'typebox/value';

/** Some text of a file, and the position after it. */
export interface Piece {
  readonly text: string;
  readonly next: string;
  /** Records in the text; counted for the progress. */
  readonly records: number;
}

/** A file of a bundle: the texts of its pieces, joined. */
export interface BundlePart {
  /** @param from `next` of the last piece that was stored; null at the beginning */
  pieces(from: string | null): AsyncIterable<Piece>;
}

/** Source of the records of a file. */
export interface RecordSource<Row> {
  /** The records after a position; null reads the first ones. None at the end. */
  page(after: string | null): Promise<readonly Row[]>;
  /** Null leaves a record out. */
  line(row: Row): string | null;
  position(row: Row): string;
}

/** One record per line inside a frame; the default frame is an array. */
export function recordsPart<Row>(
  source: RecordSource<Row>,
  frame: Frame = ARRAY_FRAME,
): BundlePart {
  const line = (row: Row) => {
    const json = source.line(row);
    return json === null ? null : `\n${json}`;
  };
  const around = { head: frame.head, between: RECORD_SEPARATOR, tail: `\n${frame.tail}\n` };
  return { pieces: (from) => recordPieces({ ...source, line }, around, from) };
}

/** A header, then one row per record; each includes its line ending. */
export function tablePart<Row>(source: RecordSource<Row>, header: string): BundlePart {
  const around = { head: header, between: '', tail: '' };
  return { pieces: (from) => recordPieces(source, around, from) };
}

/** @param make called once; its text is one piece */
export function textPart(make: () => Promise<Omit<Piece, 'next'>>): BundlePart {
  return {
    async *pieces(from) {
      if (from === null) yield { ...(await make()), next: END };
    },
  };
}

const END = 'end';

interface Around {
  readonly head: string;
  readonly between: string;
  readonly tail: string;
}

/** Whether a record was written already, and the position of the last record that was read. */
const Place = Type.Object({ hasRecords: Type.Boolean(), after: Type.String() });

/** One piece for each page, then one that closes the file. */
async function* recordPieces<Row>(
  source: RecordSource<Row>,
  around: Around,
  from: string | null,
): AsyncGenerator<Piece> {
  for (let place = readPlace(from); place !== END; ) {
    const rows = await source.page(place.after);
    const last = rows.at(-1);
    const lines = rows.map((row) => source.line(row)).filter((line) => line !== null);
    const head = place.after === null ? around.head : '';
    const between = place.hasRecords && lines.length > 0 ? around.between : '';
    const tail = last === undefined ? around.tail : '';
    const text = head + between + lines.join(around.between) + tail;
    const hasRecords = place.hasRecords || lines.length > 0;
    place = last === undefined ? END : { hasRecords, after: source.position(last) };
    yield { text, next: place === END ? END : JSON.stringify(place), records: lines.length };
  }
}

function readPlace(from: string | null): { hasRecords: boolean; after: string | null } | 'end' {
  if (from === null) return { hasRecords: false, after: null };
  return from === END ? END : Parse(Place, JSON.parse(from));
}
