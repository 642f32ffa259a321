const HASH = /^[0-9a-f]{64}$/;
const COMMITMENT = /^[\w-]{43}$/;
/** Days of each month; 29 February is checked separately. */
const DAY = [
  '(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])',
  '(?:0[13-9]|1[0-2])-(?:29|30)',
  '(?:0[13578]|1[02])-31',
  '02-29',
].join('|');
const TIMESTAMP = new RegExp(`^\\d{4}-(?:${DAY})T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$`);

/**
 * A SHA-256 digest as lower-case hexadecimal.
 *
 * @example
 * ```ts
 * import { isHash } from '@decision-ledger/proof/shapes';
 *
 * isHash('0'.repeat(64)); // => true
 * isHash('A'.repeat(64)); // => false
 * ```
 */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/**
 * A SHA-256 digest as base64url without padding.
 *
 * @example
 * ```ts
 * import { isCommitment } from '@decision-ledger/proof/shapes';
 *
 * isCommitment('A'.repeat(43)); // => true
 * isCommitment('A'.repeat(44)); // => false
 * ```
 */
export function isCommitment(text: string): boolean {
  return COMMITMENT.test(text);
}

/**
 * Whether a text is an existing UTC time with milliseconds (RFC 3339), from year 0 to 9999. A regular
 * expression, because this runs for every verified record.
 *
 * @example
 * ```ts
 * import { isTimestamp } from '@decision-ledger/proof/shapes';
 *
 * isTimestamp('2028-02-29T09:30:00.000Z'); // => true
 * isTimestamp('2026-02-29T09:30:00.000Z'); // => false
 * ```
 */
export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text) && (!text.startsWith('02-29', 5) || isLeap(Number(text.slice(0, 4))));
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
