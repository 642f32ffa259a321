import { Format } from 'typebox/format';
import { parseRangeStart, parseTimestamp } from './time.js';

/** The formats that texts are checked for; any other one describes, and checks nothing. */
const FORMATS = new Map<string, (text: string) => boolean>([
  ['date-time', (text) => parseTimestamp(text) !== null],
  ['date', (text) => text.length === 10 && parseRangeStart(text) !== null],
]);

for (const name of Format.Entries().map(([known]) => known)) {
  Format.Set(name, (text) => hasFormat(name, text));
}

/** Whether a text has a format of JSON Schema, as this service reads it. */
export function hasFormat(name: string, text: string): boolean {
  return FORMATS.get(name)?.(text) ?? true;
}
