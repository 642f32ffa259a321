/**
 * Normalises a SHA-256 in any case, with colons or spaces.
 * @returns 64 lower-case hexadecimal digits, or null if it is malformed
 */
export function normalFingerprint(text: string): string | null {
  const digits = text.replace(/[\s:]/g, '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : null;
}
