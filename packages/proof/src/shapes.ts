const HASH = /^[0-9a-f]{64}$/;
const COMMITMENT = /^[\w-]{43}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A SHA-256 digest as lower-case hexadecimal. */
export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** A SHA-256 digest as base64url without padding. */
export function isCommitment(text: string): boolean {
  return COMMITMENT.test(text);
}

/** A moment in UTC with milliseconds (RFC 3339): its form is checked, not the calendar. */
export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text);
}
