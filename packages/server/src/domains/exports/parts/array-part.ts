import type { Part } from './part.js';
import { type RecordFile, recordPieces } from './record-pieces.js';

/** A JSON array with one record a line. */
export function arrayPart<Row>(
  name: string,
  { page, line, position }: Pick<RecordFile<Row>, 'page' | 'line' | 'position'>,
): Part {
  const ofRow = (row: Row) => {
    const json = line(row);
    return json === null ? null : `\n${json}`;
  };
  const file = { head: '[', between: ',', tail: '\n]\n', page, line: ofRow, position };
  return { name, pieces: (from) => recordPieces(file, from) };
}
