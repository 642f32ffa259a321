/** Signs that begin a formula; programs for East Asian scripts take the wide and small forms too. */
const SIGN = /^[=+\-@＝＋－＠﹦﹢﹣﹫]/;
/** What programs drop in front of a cell's text, or do not show: spaces, controls, zero width. */
const BLANKS = /^[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*/u;
/** A tab or a line break in front may end the cell before. */
const BREAK = /^[\t\r\n]/;
/** Where a spreadsheet that splits at other signs would begin a cell, with the blanks behind. */
const LATER = /[;\t\r\n][\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]*/gu;
const QUOTED = /[",;\t\r\n]/;

/**
 * A row of a CSV file (RFC 4180) with its CRLF. A text that a spreadsheet would compute has an
 * apostrophe in front, and so has what it would compute behind a semicolon, a tab or a line break.
 */
export function csvRow(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  // Each run of blanks is looked at once, so that a long one costs no more than its length.
  const later = value.replace(LATER, (run, at: number) =>
    SIGN.test(value.charAt(at + run.length)) ? `${run}'` : run,
  );
  const text = BREAK.test(value) || SIGN.test(behindBlanks(value)) ? `'${later}` : later;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function behindBlanks(text: string): string {
  return text.charAt(BLANKS.exec(text)?.[0].length ?? 0);
}
