import { disclosureText, isDisclosure } from './commitment.js';
import { isTimestamp } from './shapes.js';

/** The one form of a disclosure of times: its value is canonical JSON. */
const FORM =
  /^\["[\w-]{22}","when",\{(?:"decision":"([^"\\]*)",)?"event":"([^"\\]*)"(?:,"others":\[((?:"[^\\\]]*")?)\])?\}\]$/;

/** The times that a record about an event or a link is of, as `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export interface When {
  /** Of the financial event. */
  readonly event: string;
  /** Of the decision, for a record about a link. */
  readonly decision?: string;
  /** Of the other reports, for a record about a movement; none if it has one report, and had. */
  readonly others?: readonly string[];
}

/** The times that a record about a link is of. */
export type WhenOfLink = Required<Pick<When, 'event' | 'decision'>>;

/**
 * The disclosure of the times of a record.
 *
 * @param salt 128 random bits as 22 base64url characters
 * @throws TypeError if the salt or a time is malformed
 * @example
 * ```ts
 * import { whenText } from '@decision-ledger/proof/when';
 *
 * whenText('AAAAAAAAAAAAAAAAAAAAAA', { event: '2026-04-16T09:30:00.000Z' });
 * // => '["AAAAAAAAAAAAAAAAAAAAAA","when",{"event":"2026-04-16T09:30:00.000Z"}]'
 * ```
 */
export function whenText(salt: string, { event, decision, others }: When): string {
  const ofDecision = decision === undefined ? '' : `"decision":"${time(decision)}",`;
  const ofOthers =
    others === undefined ? '' : `,"others":[${others.map((other) => `"${time(other)}"`).join()}]`;
  return disclosureText(salt, 'when', `{${ofDecision}"event":"${time(event)}"${ofOthers}}`);
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
 * @throws TypeError if the text is not a disclosure of times
 * @example
 * ```ts
 * import { readWhen } from '@decision-ledger/proof/when';
 *
 * readWhen('["AAAAAAAAAAAAAAAAAAAAAA","when",{"event":"2026-04-16T09:30:00.000Z"}]');
 * // => { event: '2026-04-16T09:30:00.000Z' }
 * ```
 */
export function readWhen(disclosure: string): When {
  const [, decision, event, others] = FORM.exec(disclosure) ?? [];
  if (event === undefined) throw new TypeError('The text is not a disclosure of times.');
  return {
    event: time(event),
    ...(decision !== undefined && { decision: time(decision) }),
    ...(others !== undefined && { others: timesOf(others) }),
  };
}

/** @param list texts in quotes, separated by commas; empty for none */
function timesOf(list: string): string[] {
  return list === '' ? [] : list.slice(1, -1).split('","').map(time);
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
  { event, decision, others = [] }: When,
  { start, end }: { readonly start: string; readonly end: string },
): boolean {
  const isIn = (time: string) => start <= time && time < end;
  return isIn(event) || (decision !== undefined && isIn(decision)) || others.some(isIn);
}

function time(text: string): string {
  if (!isTimestamp(text)) throw new TypeError('The text is not a UTC time with milliseconds.');
  return text;
}
