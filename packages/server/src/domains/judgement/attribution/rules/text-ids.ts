import { isDateLike, isDecimal } from './canonical.js';

const MIN_CHARS = 4;
const MAX_CHARS = 100;
const TOKEN_CHARS = /[\p{L}\p{N}_.@-]/u;

/**
 * The tokens of a free text or URL that may be identifiers: with a digit, at least four characters.
 * One pass over at most `maxChars` characters.
 */
export function textTokens(text: string, maxChars: number): string[] {
  const tokens: string[] = [];
  let token = '';
  const read = text.slice(0, maxChars);
  for (const char of `${read} `) {
    if (TOKEN_CHARS.test(char)) {
      token += token.length <= MAX_CHARS ? char : '';
      continue;
    }
    if (token !== '') tokens.push(trimmed(token));
    token = '';
  }
  return tokens.filter((found) => found.length >= MIN_CHARS && found.length <= MAX_CHARS);
}

/** Whether a token of a text names something: dates and decimals do not. */
export function isTextId(token: string): boolean {
  if (!/[0-9]/.test(token) || isDateLike(token)) return false;
  return !isDecimal(token) || /^[0-9]{4,}$/.test(token);
}

const AMOUNT = /^[0-9]{1,12}\.[0-9]{2}$/;

export const isTextAmount = (token: string): boolean => AMOUNT.test(token);

/** Without punctuation at its ends. */
function trimmed(token: string): string {
  let [from, to] = [0, token.length];
  while (from < to && isPunctuation(token[from])) from += 1;
  while (to > from && isPunctuation(token[to - 1])) to -= 1;
  return token.slice(from, to);
}

const isPunctuation = (char: string | undefined): boolean =>
  char === '.' || char === '-' || char === '_' || char === '@';
