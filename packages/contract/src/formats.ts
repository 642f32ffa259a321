import { Format } from 'typebox/format';
import { parseRangeStart, parseTimestamp } from './time.js';

/** The formats that are checked. Any other format is an annotation only. */
const FORMATS = new Map<string, (text: string) => boolean>([
  ['date-time', (text) => parseTimestamp(text) !== null],
  ['date', (text) => text.length === 10 && parseRangeStart(text) !== null],
]);

for (const name of Format.Entries().map(([known]) => known)) {
  Format.Set(name, (text) => hasFormat(name, text));
}

/** Whether a text matches a JSON Schema format. */
export function hasFormat(name: string, text: string): boolean {
  return FORMATS.get(name)?.(text) ?? true;
}
