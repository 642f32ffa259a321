import type { Shape } from './shape.js';

/** A change of the limit of lateness, as the activity chain records it. */
export interface LatenessLimit {
  /** When it was recorded, ms. */
  readonly at: number;
  /** The limit since then; null: none. */
  readonly seconds: number | null;
}

/** How far after its recording a decision may be dated, in ms, because clocks differ. */
export const FUTURE_MS = 5 * 60_000;

/** How long a process may apply the former limit after a change, in ms. The service takes a second. */
export const CHANGE_MS = 5 * 60_000;

/**
 * The time of recording, in ms, from which on no decision dated before `end` may be recorded.
 *
 * @param end ms
 * @param last the last change of the limit
 * @returns null if no limit is in force
 * @example
 * ```ts
 * import { settledFrom } from '@decision-ledger/proof/bundle/lateness';
 *
 * settledFrom(1_000_000, { at: 0, seconds: 86_400 }); // => 87_400_000
 * settledFrom(0, { at: 90_000_000, seconds: 86_400 }); // => 90_300_001
 * settledFrom(0, null); // => null
 * ```
 */
export function settledFrom(end: number, last: LatenessLimit | null): number | null {
  if (last === null || last.seconds === null) return null;
  return Math.max(end + last.seconds * 1000, last.at + CHANGE_MS + 1);
}

/** A hundred years: times beyond could not be written. */
const MAX_SECONDS = 36_525 * 86_400;

/**
 * Reads the limit from the data of a `max_lateness.changed`.
 *
 * @returns seconds; null for none, and for one that bounds nothing
 * @throws ShapeError
 * @example
 * ```ts
 * import { readLimit } from '@decision-ledger/proof/bundle/lateness';
 * import { readJson, Shape } from '@decision-ledger/proof/bundle/shape';
 *
 * readLimit(new Shape(readJson('{"max_lateness_seconds":86400}'))); // => 86_400
 * readLimit(new Shape(readJson('{"max_lateness_seconds":null}'))); // => null
 * ```
 */
export function readLimit(data: Shape): number | null {
  if (data.opt('max_lateness_seconds') === null) return null;
  const seconds = data.count('max_lateness_seconds');
  return seconds <= MAX_SECONDS ? seconds : null;
}
