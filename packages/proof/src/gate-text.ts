/** Characters of a text, or containers of a value, that are read between two pauses: some milliseconds of work. */
export const STEP = 64 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** For shorter strings a loop is faster than the native search. */
const SHORT_STRING = 24;

/**
 * The position after the closing quote of a JSON string whose content starts at `at`; the text length
 * if the string is not closed. A regular expression would overflow its stack on long strings.
 */
export function endOfString(text: string, at: number): number {
  const short = at + SHORT_STRING;
  while (at < short) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      return at + 1;
    }
    at += code === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) {
      return text.length;
    }
    let escapes = quote;
    while (escapes > at && text.charCodeAt(escapes - 1) === BACKSLASH) {
      escapes--;
    }
    at = quote + 1;
    if ((quote - escapes) % 2 === 0) {
      return at;
    }
  }
}

/** Runs steps to their end. @param pause lets other work run, between two steps */
export async function inPieces<Result>(
  steps: Generator<void, Result, void>,
  pause: () => Promise<unknown>,
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}
