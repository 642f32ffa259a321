import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { type CandidateRow, selectCandidates } from './store/select-candidates.js';

/** Clocks differ: a decision may be dated this long after the event that it caused. */
export const AFTER_EVENT_MS = 5 * 60_000;
/** Half-lives after which a decision is no longer a candidate. */
const REACH = 5;
const HOUR_MS = 3_600_000;

/** How long after a decision an event is attributed to it: whole ms, for any half-life. */
export function windowMs(longestHalfLifeHours: number): number {
  return Math.round(REACH * longestHalfLifeHours * HOUR_MS);
}

/** A value that more decisions than this have does not select candidates. */
const COMMON_AT_LEAST = 50;
const COMMON_AT_MOST = 1000;
const COMMON_SHARE = 0.05;

export interface Lookup {
  /** ms. */
  readonly eventTime: number;
  readonly windowMs: number;
  readonly tokens: readonly number[];
  /** Approximate number of decisions with each token. */
  readonly frequencies: ReadonlyMap<number, number>;
  /** How many decisions there are. */
  readonly decisions: number;
}

/** Blocking: decisions that share a rare value with the event, and the nearest ones before it. */
export function findCandidates(
  db: Queryable,
  scope: Scope,
  { eventTime, windowMs: window, tokens, frequencies, decisions }: Lookup,
): Promise<CandidateRow[]> {
  const common = Math.max(COMMON_AT_LEAST, Math.min(COMMON_AT_MOST, COMMON_SHARE * decisions));
  const rare = tokens.filter((token) => (frequencies.get(token) ?? 0) <= common);
  const span = { from: eventTime - window, to: eventTime + AFTER_EVENT_MS };
  return selectCandidates(db, scope, rare, span);
}
