/** A position in decisions ordered by time, then by seq. */
export interface ExportPosition {
  /** ms. */
  readonly timestamp: number;
  readonly seq: number;
}

export function writeExportPosition({ timestamp, seq }: ExportPosition): string {
  return `${timestamp}:${seq}`;
}

/** @throws RangeError for a text that `writeExportPosition` cannot return */
export function readExportPosition(text: string): ExportPosition {
  const match = /^(-?\d{1,15}):(\d{1,16})$/.exec(text);
  if (match === null) throw new RangeError('the text is not a position in a file of decisions');
  return { timestamp: Number(match[1]), seq: Number(match[2]) };
}
