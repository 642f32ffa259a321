const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * The part that a header Range asks for (RFC 9110, 14.2).
 * @param header undefined without one
 * @returns null for the whole: a header that asks for anything but one range within it may be ignored
 */
export function readRange(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | null {
  const [match, first = '', last = '', suffix = ''] = ONE_RANGE.exec(header ?? '') ?? [];
  if (match === undefined) return null;
  const start = suffix === '' ? Number(first) : Math.max(0, size - Number(suffix));
  const end = suffix === '' && last !== '' ? Math.min(Number(last) + 1, size) : size;
  return start < end ? { start, end } : null;
}
