import { readJson, Shape } from './bundle/shape.js';
import { canonicalJson } from './canonical.js';
import { disclosureText, isDisclosure, parseDisclosure } from './commitment.js';

/** The times that a record about an event or a link is of, as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export interface When {
  /** Of the financial event. */
  readonly event: string;
  /** Of the decision, for a record about a link. */
  readonly decision?: string;
}

/**
 * The disclosure of the times of a record.
 *
 * @param salt 128 random bits as 22 base64url characters
 * @example
 * ```ts
 * import { whenText } from '@decision-ledger/proof/when';
 *
 * whenText('AAAAAAAAAAAAAAAAAAAAAA', { event: '2026-04-16T09:30:00.000Z' });
 * // => '["AAAAAAAAAAAAAAAAAAAAAA","when",{"event":"2026-04-16T09:30:00.000Z"}]'
 * ```
 */
export function whenText(salt: string, { event, decision }: When): string {
  const times = decision === undefined ? { event } : { decision, event };
  return disclosureText(salt, 'when', canonicalJson(times));
}

/**
 * Whether a disclosure is one of times.
 *
 * @example
 * ```ts
 * import { isWhen } from '@decision-ledger/proof/when';
 *
 * isWhen('["AAAAAAAAAAAAAAAAAAAAAA","data",{}]'); // => false
 * ```
 */
export function isWhen(disclosure: string): boolean {
  return isDisclosure(disclosure, '"when"');
}

/**
 * The times in a disclosure, without checking its commitment.
 *
 * @throws TypeError if the text is not a disclosure of `when`
 * @throws GateError or ShapeError if its value does not have the form of When
 * @example
 * ```ts
 * import { readWhen } from '@decision-ledger/proof/when';
 *
 * readWhen('["AAAAAAAAAAAAAAAAAAAAAA","when",{"event":"2026-04-16T09:30:00.000Z"}]');
 * // => { event: '2026-04-16T09:30:00.000Z' }
 * ```
 */
export function readWhen(disclosure: string): When {
  const shape = new Shape(readJson(parseDisclosure(disclosure, 'when').value));
  const event = shape.time('event');
  const decision = shape.has('decision') ? shape.time('decision') : undefined;
  shape.done();
  return decision === undefined ? { event } : { event, decision };
}

/**
 * Whether one of the times lies in a range: start ≤ time < end.
 *
 * @example
 * ```ts
 * import { touchesRange } from '@decision-ledger/proof/when';
 *
 * const range = { start: '2026-04-01T00:00:00.000Z', end: '2026-05-01T00:00:00.000Z' };
 * const decision = '2026-04-16T09:30:00.000Z';
 * touchesRange({ event: '2026-05-01T00:00:00.000Z' }, range); // => false
 * touchesRange({ event: '2026-05-01T00:00:00.000Z', decision }, range); // => true
 * ```
 */
export function touchesRange(
  { event, decision }: When,
  { start, end }: { readonly start: string; readonly end: string },
): boolean {
  const isIn = (time: string) => start <= time && time < end;
  return isIn(event) || (decision !== undefined && isIn(decision));
}
