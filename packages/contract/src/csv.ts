/** Characters that start a formula, including the wide and small forms of East Asian scripts. */
const SIGN = /^[=+\-@＝＋－＠﹦﹢﹣﹫]/;
/** Leading characters that programs drop or do not show: spaces, controls, zero width. */
const BLANKS = /^[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*/u;
/** A leading tab or line break may end the previous cell. */
const BREAK = /^[\t\r\n]/;
/** Separators at which some spreadsheets start another cell, with the blanks after them. */
const LATER = /[;\t\r\n][\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*/gu;
const QUOTED = /[",;\t\r\n]/;

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

function csvCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'object') return decimalOf(value);
  if (typeof value !== 'string') return String(value);
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
