/** A JSON value (RFC 8259). */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };

const NEEDS_CARE = /["\\\u0000-\u001f\ud800-\udfff]/;
const ESCAPED_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** A string as a JSON string. A lone surrogate becomes an escape: see `refuseSurrogates`. */
export function quote(text: string): string {
  return NEEDS_CARE.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * Native stringification uses `\ud` escapes only for lone surrogates, so one check of the finished JSON
 * text replaces a check of every string.
 *
 * @throws TypeError if the JSON text was made from a string with a lone surrogate
 */
export function refuseSurrogates(json: string): string {
  if (json.includes('\\ud') && ESCAPED_SURROGATE.test(json)) {
    throw new TypeError('A string with a lone surrogate cannot be written as JSON.');
  }
  return json;
}

const MAX_DIGITS = 17;

/**
 * Checks whether a 64-bit float represents a JSON number faithfully. RFC 8785 appendix D recommends
 * sending other numbers as strings.
 *
 * @param token a number as written in a JSON text
 * @returns the problem and its remedy, or null if there is none
 */
export function numberProblem(token: string): string | null {
  const value = Number(token);
  if (!Number.isFinite(value)) {
    return 'The number is too large to be stored. Send it as a string.';
  }
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return 'The number is beyond 2^53-1, where integers lose digits. Send it as a string.';
  }
  const digits = significantDigits(token);
  if (value === 0 && digits > 0) {
    return 'The number is not zero but too small to be stored. Send it as a string.';
  }
  if (digits > MAX_DIGITS) {
    return 'The number has more than 17 significant digits. Round it or send it as a string.';
  }
  return null;
}

/** Digits from the first to the last non-zero digit; zeros around them do not change the value. */
function significantDigits(token: string): number {
  let first = -1;
  let last = -1;
  let count = 0;
  for (let i = 0; i < token.length; i++) {
    const char = token[i];
    if (char === 'e' || char === 'E') {
      break;
    }
    if (char === '.' || char === '-') {
      continue;
    }
    if (char !== '0') {
      first = first < 0 ? count : first;
      last = count;
    }
    count++;
  }
  return first < 0 ? 0 : last - first + 1;
}
