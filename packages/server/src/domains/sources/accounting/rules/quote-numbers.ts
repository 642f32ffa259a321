const START = /["\-\d]/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const AFTER_NUMBER = /[^-+.\deE]|$/g;
const AFTER_SPACE = /[^ \t\r\n]|$/g;
/** Longer numbers are no amounts of money and are not matched. */
const MAX_CHARS = 1000;

/**
 * Quotes each number of a JSON text. Invalid JSON stays invalid. The time is linear in the length.
 */
export function quoteNumbers(text: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (let at = find(START, text, 0); at < text.length; at = find(START, text, at)) {
    if (text[at] === '"') {
      at = endOfString(text, at);
      continue;
    }
    const end = find(AFTER_NUMBER, text, at);
    if (isNumber(text, at, end)) {
      parts.push(text.slice(copied, at), '"', text.slice(at, end), '"');
      copied = end;
    }
    at = end;
  }
  return parts.join('') + text.slice(copied);
}

/** A number followed by a colon is not quoted: it would become a key and repair invalid JSON. */
function isNumber(text: string, start: number, end: number): boolean {
  if (end - start > MAX_CHARS || !NUMBER.test(text.slice(start, end))) return false;
  return text[find(AFTER_SPACE, text, end)] !== ':';
}

/** The next index of a pattern with the flag g; the length of the text if there is none. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** The index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}
