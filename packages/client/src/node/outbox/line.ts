import { crc32 } from 'node:zlib';

/** A decision in a segment. */
export interface StoredLine {
  readonly json: string;
  readonly isStamped: boolean;
}

/** Characters before the JSON: checksum, mark, space. */
const PREFIX = 10;
const STAMPED = 's';
const PLAIN = '-';

/** Bytes of a line beyond its JSON. */
export const LINE_OVERHEAD = PREFIX + 1;

/** A line of a segment: a checksum, whether the time is that of the client, and the JSON. */
export function encodeLine({ json, isStamped }: StoredLine): string {
  const content = `${isStamped ? STAMPED : PLAIN} ${json}`;
  return `${checksum(content)}${content}\n`;
}

/** @returns null if the line is damaged */
export function decodeLine(line: string): StoredLine | null {
  const content = line.slice(8);
  if (line.length <= PREFIX || checksum(content) !== line.slice(0, 8)) return null;
  return { json: content.slice(2), isStamped: content.startsWith(STAMPED) };
}

export function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
