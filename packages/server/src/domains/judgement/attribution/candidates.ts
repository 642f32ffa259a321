import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { type CandidateRow, selectCandidates } from './store/select-candidates.js';

/** Clocks differ: a decision may be dated so much after the event that it caused. */
export const AFTER_EVENT_MS = 5 * 60_000;
/** Half-lives after which a decision is no candidate any more. */
const REACH = 5;
const HOUR_MS = 3_600_000;

/** How long after a decision an event may still be its doing; whole, however half-lives are learned. */
export function windowMs(longestHalfLifeHours: number): number {
  return Math.round(REACH * longestHalfLifeHours * HOUR_MS);
}

/** Decisions that hold a value that so many others hold too are not found by it. */
const COMMON_AT_LEAST = 50;
const COMMON_AT_MOST = 1000;
const COMMON_SHARE = 0.05;

export interface Lookup {
  /** ms. */
  readonly eventTime: number;
  readonly windowMs: number;
  readonly tokens: readonly number[];
  /** About how many decisions hold a token. */
  readonly frequencies: ReadonlyMap<number, number>;
  /** How many decisions there are. */
  readonly decisions: number;
}

/** Blocking: decisions that share a telling value with the event, and those nearest before it. */
export function findCandidates(
  db: Queryable,
  scope: Scope,
  { eventTime, windowMs: window, tokens, frequencies, decisions }: Lookup,
): Promise<CandidateRow[]> {
  const common = Math.max(COMMON_AT_LEAST, Math.min(COMMON_AT_MOST, COMMON_SHARE * decisions));
  const telling = tokens.filter((token) => (frequencies.get(token) ?? 0) <= common);
  const span = { from: eventTime - window, to: eventTime + AFTER_EVENT_MS };
  return selectCandidates(db, scope, telling, span);
}
