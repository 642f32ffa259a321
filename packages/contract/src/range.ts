import { invalidField } from './errors.js';
import { parseRangeEnd, parseRangeStart } from './time.js';

export interface Range {
  /** Milliseconds since the epoch; undefined if the range is open. */
  readonly start: number | undefined;
  /** Milliseconds since the epoch: the first instant after the range. */
  readonly end: number | undefined;
}

/** The names of the two parameters at an endpoint. */
export interface RangeNames {
  readonly start: string;
  readonly end: string;
}

/**
 * Parses the bounds of a range, each a date or a date-time.
 * @throws LedgerError `validation_error` naming the parameter
 * @example
 * ```ts
 * import { readRange } from '@decision-ledger/contract/range';
 *
 * readRange('2026-04-01', '2026-04-30');
 * // => { start: 1775001600000, end: 1777593600000 }
 * ```
 */
export function readRange(
  startText: string | undefined,
  endText: string | undefined,
  names: RangeNames = { start: 'start', end: 'end' },
): Range {
  const start = readBound(names.start, startText, parseRangeStart);
  const end = readBound(names.end, endText, parseRangeEnd);
  const endAsWritten = endText === undefined ? null : parseRangeStart(endText);
  if (start !== undefined && endAsWritten !== null && start > endAsWritten) {
    throw invalidField(names.start, `must not be after ${names.end}`);
  }
  return { start, end };
}

function readBound(
  name: string,
  text: string | undefined,
  parse: (text: string) => number | null,
): number | undefined {
  if (text === undefined) return undefined;
  const bound = parse(text);
  if (bound === null) {
    throw invalidField(name, 'must be a date such as 2026-04-16 or an RFC 3339 date-time');
  }
  return bound;
}
