/** Statements of one ledger that its node cannot do alone, by what they begin with, each with the reason. */
const EXCEPTIONS: readonly (readonly [start: RegExp, reason: string])[] = [];

export function isException(text: string): boolean {
  return EXCEPTIONS.some(([start]) => start.test(text));
}
