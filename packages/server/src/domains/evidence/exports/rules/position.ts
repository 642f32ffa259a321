/** A position in decisions ordered by time, then by seq. */
export interface Position {
  /** ms. */
  readonly timestamp: number;
  readonly seq: number;
}

export function writePosition({ timestamp, seq }: Position): string {
  return `${timestamp}:${seq}`;
}

/** @throws RangeError for a text that `writePosition` cannot return */
export function readPosition(text: string): Position {
  const match = /^(-?\d{1,15}):(\d{1,16})$/.exec(text);
  if (match === null) throw new RangeError('the text is not a position in a file of decisions');
  return { timestamp: Number(match[1]), seq: Number(match[2]) };
}
