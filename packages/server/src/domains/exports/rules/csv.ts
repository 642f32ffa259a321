/** What a spreadsheet would take for a formula, or for the rest of one. */
const FORMULA = /^[=+\-@\t\r\n]/;
/** The same inside a text, where a spreadsheet that splits at other signs would begin a cell. */
const LATER = /([;\t\r\n] *)(?=[=+\-@])/g;
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
  const later = value.replace(LATER, "$1'");
  const text = FORMULA.test(value) ? `'${later}` : later;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
