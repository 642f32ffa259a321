/** A value of a record, under its name. */
export interface Line {
  readonly name: string;
  readonly text: string;
}

/** A piece of a text. */
export interface Part {
  /** Its place in the text. */
  readonly start: number;
  readonly text: string;
  readonly isShared: boolean;
}

const MAX_LINES = 80;
const MAX_DEPTH = 6;
const MAX_TEXT = 400;
const MAX_TERM = 80;

/** The values of a payload, each under its path. Of a large one, the first. */
export function linesOf(value: unknown, name: string): Line[] {
  const lines: Line[] = [];
  collect(value, name, 0, lines);
  return lines;
}

function collect(value: unknown, name: string, depth: number, lines: Line[]): void {
  if (lines.length >= MAX_LINES || value === undefined) return;
  if (typeof value !== 'object' || value === null) {
    lines.push({ name, text: shorten(String(value)) });
    return;
  }
  if (depth === MAX_DEPTH) {
    lines.push({ name, text: '…' });
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (lines.length >= MAX_LINES) return;
    collect(member, `${name}.${key}`, depth + 1, lines);
  }
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

/** Words, identifiers and amounts. */
const WORD = /[\p{L}\p{N}]+(?:[-._@/:][\p{L}\p{N}]+)*/gu;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const SAYS_NOTHING = new Set(['true', 'false', 'null', '…']);

/** The terms that occur on both sides: whole values, and words with a digit, such as an order number. */
export function sharedTerms(left: readonly Line[], right: readonly Line[]): ReadonlySet<string> {
  const ours = new Set(left.flatMap(({ text }) => termsOf(text)));
  return new Set(right.flatMap(({ text }) => termsOf(text)).filter((term) => ours.has(term)));
}

/** The text in pieces, which together are the text. */
export function partsOf(text: string, shared: ReadonlySet<string>): Part[] {
  if (shared.has(termOf(text))) return [{ start: 0, text, isShared: true }];
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!shared.has(termOf(word))) continue;
    if (index > end) parts.push({ start: end, text: text.slice(end, index), isShared: false });
    parts.push({ start: index, text: word, isShared: true });
    end = index + word.length;
  }
  if (end < text.length) parts.push({ start: end, text: text.slice(end), isShared: false });
  return parts;
}

function termsOf(text: string): string[] {
  const words = (text.match(WORD) ?? []).filter((word) => /\d/.test(word));
  return [text, ...words].map(termOf).filter(isTelling);
}

/** Amounts are compared without sign and trailing zeros, words without case. */
function termOf(text: string): string {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed)) return trimmed.toLowerCase();
  const [whole = '', part = ''] = trimmed.replace('-', '').split('.');
  const digits = part.replace(/0+$/, '');
  const number = whole.replace(/^0+(?=\d)/, '');
  return digits === '' ? number : `${number}.${digits}`;
}

function isTelling(term: string): boolean {
  return term.length > 1 && term.length <= MAX_TERM && !SAYS_NOTHING.has(term);
}
