/** Characters that start a formula, including the wide and small forms of East Asian scripts. */
const SIGN = /^[=+\-@＝＋－＠﹦﹢﹣﹫]/;
/** Leading characters that programs drop or do not show: spaces, controls, zero width. */
const BLANKS = /^[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*/u;
/** A leading tab or line break may end the previous cell. */
const BREAK = /^[\t\r\n]/;
/** Separators at which some spreadsheets start another cell, with the blanks after them. */
const LATER = /[;\t\r\n][\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*/gu;
const QUOTED = /[",;\t\r\n]/;
/** Most texts need no change: one look at them is enough. */
const PLAIN = /^[A-Za-z0-9][\w .:/-]*$/;

/** A decimal text, which is written as it is: a negative number is no formula. */
export interface CsvDecimal {
  readonly decimal: string;
}

/** A value of a CSV file. Null is an empty cell. */
export type CsvCell = string | number | boolean | null | CsvDecimal;

const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/**
 * A row of a CSV file (RFC 4180), including CRLF. A text that a spreadsheet would evaluate as a formula
 * is prefixed with an apostrophe, also after a semicolon, a tab or a line break.
 *
 * @throws RangeError if a decimal is not one
 * @example
 * ```ts
 * import { csvRow } from '@decision-ledger/contract/csv';
 *
 * csvRow(['a,b', '=1+1', { decimal: '-2.50' }]); // => '"a,b",\'=1+1,-2.50\r\n'
 * ```
 */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Begins a file for spreadsheets, which otherwise take UTF-8 for another encoding. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Digits with what stands between the parts of a number, a date or a time. */
const NUMERIC = /^[\s\p{Z}\p{Nd}\p{Sc}.,:/'’%+\-−()eE]*$/u;
const DIGIT = /\p{Nd}/u;

/**
 * A row of a CSV file for spreadsheets. Besides a formula, a text that a spreadsheet would read as a number,
 * a date or a time is prefixed with an apostrophe, so that an id such as `0042` keeps its zeros.
 *
 * @throws RangeError if a decimal is not one
 * @example
 * ```ts
 * import { spreadsheetRow } from '@decision-ledger/contract/csv';
 *
 * spreadsheetRow(['0042', 'A-42', { decimal: '-2.50' }]); // => '\'0042,A-42,-2.50\r\n'
 * ```
 */
export function spreadsheetRow(cells: readonly CsvCell[]): string {
  return csvRow(
    cells.map((cell) =>
      typeof cell === 'string' && NUMERIC.test(cell) && DIGIT.test(cell) ? `'${cell}` : cell,
    ),
  );
}

function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'object') return decimalOf(value);
  if (typeof value !== 'string') return String(value);
  if (PLAIN.test(value)) return value;
  // Each run of blanks is scanned once, so the cost is linear.
  const later = value.replace(LATER, (run, at: number) =>
    SIGN.test(value.charAt(at + run.length)) ? `${run}'` : run,
  );
  const text = BREAK.test(value) || SIGN.test(firstVisible(value)) ? `'${later}` : later;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function decimalOf({ decimal }: CsvDecimal): string {
  if (!DECIMAL.test(decimal)) throw new RangeError(`${JSON.stringify(decimal)} is no decimal`);
  return decimal;
}

function firstVisible(text: string): string {
  return text.charAt(BLANKS.exec(text)?.[0].length ?? 0);
}

/** A line of a table by the names of its columns. */
export type CsvLine = Readonly<Record<string, CsvCell>>;

/**
 * The rows of a CSV file: a header, and a row for each line. What a line lacks is an empty cell.
 *
 * @example
 * ```ts
 * import { csvTable } from '@decision-ledger/contract/csv';
 *
 * [...csvTable(['a', 'b'], [{ b: 1 }])]; // => ['a,b\r\n', ',1\r\n']
 * ```
 */
export function* csvTable(
  columns: readonly string[],
  lines: Iterable<CsvLine>,
): Generator<string, void> {
  yield csvRow(columns);
  for (const line of lines) yield csvRow(columns.map((column) => line[column] ?? null));
}

/** A decimal text as a cell; null is empty. */
export function csvDecimal(text: string | null): CsvCell {
  return text === null ? null : { decimal: text };
}

/** Figures by name, some of them below others. */
export interface CsvFigures {
  readonly [name: string]: string | number | boolean | null | CsvFigures;
}

/** A figure of a table: a number, or a text such as a state. */
export interface CsvFigure {
  readonly figure: string;
  readonly value: CsvCell;
  readonly text: CsvCell;
}

/**
 * The figures of an object, those below others under both names.
 *
 * @example
 * ```ts
 * import { csvFigures } from '@decision-ledger/contract/csv';
 *
 * csvFigures({ test: { p: 0.5 } }); // => [{ figure: 'test.p', value: 0.5, text: null }]
 * ```
 */
export function csvFigures(figures: CsvFigures): CsvFigure[] {
  return Object.entries(figures).flatMap(([figure, value]): CsvFigure[] => {
    if (typeof value === 'object' && value !== null) {
      return csvFigures(value).map((own) => ({ ...own, figure: `${figure}.${own.figure}` }));
    }
    if (typeof value === 'number') return [{ figure, value, text: null }];
    if (typeof value !== 'string') return [{ figure, value: null, text: value }];
    const isDecimal = DECIMAL.test(value);
    return [
      { figure, value: isDecimal ? { decimal: value } : null, text: isDecimal ? null : value },
    ];
  });
}
