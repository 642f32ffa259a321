import { type Entry, readEntry } from '@decision-ledger/proof/entry';

/** Far more than any entry of the service has, whose names are of some hundred characters. */
const LONGEST = 16 * 1024;

/**
 * An entry of a line that may be megabytes of brackets, which take a hundred times their size once
 * they are parsed.
 * @throws Error when the text is no entry, or longer than any
 */
export function readEntryText(text: string): Entry {
  if (text.length > LONGEST) throw new Error(`it has ${text.length} characters`);
  return readEntry(text);
}
