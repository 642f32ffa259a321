/**
 * A fingerprint as people write it: in any case, with colons or spaces between its parts.
 * @returns 64 lower-case hexadecimal digits, or null where it is none
 */
export function normalFingerprint(text: string): string | null {
  const digits = text.replace(/[\s:]/g, '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : null;
}
