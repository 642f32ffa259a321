import type { AttributionSettings } from '@decision-ledger/contract/attribution';
import type { ModelSnapshot } from './snapshot.js';

/*
 * Which decisions are looked up for an event: those that hold one of its identifiers, those that share a rare value
 * or state its amount, and the nearest ones.
 */

const HOUR_MS = 3_600_000;

/** Clocks differ: a decision may be dated this long after the event that it caused. */
export const AFTER_EVENT_MS = 5 * 60_000;
/** Local time that is stamped as UTC dates an event so long before the decisions that it names, at most. */
export const BEFORE_DECISION_MS = 14 * HOUR_MS;
/** For how long after a decision an event that names one of its identifiers is attributed to it. */
export const HOLDER_REACH_MS = 400 * 24 * HOUR_MS;
/** The most identifiers that are looked up for one event, the rarest. */
export const MAX_IDS = 48;
/** At most this many holders are compared, the newest. */
export const MAX_HOLDERS = 200;
/** At most this many that state the amount are compared, the newest. */
export const MAX_STATING = 20;
/** The nearest decisions before the event, whatever they hold. */
export const MAX_NEAREST = 50;

/** Half-lives after which a decision is no longer a candidate without an identifier. */
const REACH = 5;
/** A learned delay widens the window once it rests on this many delays. */
const MIN_LAGS = 5;

/** How long after a decision an event is attributed to it without an identifier: whole ms. */
export function windowMs(
  { half_life_hours, half_life_hours_by_action_type }: AttributionSettings,
  { pairs }: Pick<ModelSnapshot, 'pairs'>,
): number {
  const set = Math.max(half_life_hours, ...Object.values(half_life_hours_by_action_type));
  const learned = pairs
    .filter(({ lags }) => lags.count >= MIN_LAGS)
    .reduce((most, { lags }) => Math.max(most, Math.exp(lags.mean + 2 * lags.sd)), 0);
  return Math.min(Math.round(Math.max(REACH * set, learned) * HOUR_MS), HOLDER_REACH_MS);
}

const COMMON_AT_LEAST = 50;
const COMMON_AT_MOST = 1000;
const COMMON_SHARE = 0.05;

/** A value that more decisions have does not select candidates. */
export const mostHolding = (decisions: number): number =>
  Math.max(COMMON_AT_LEAST, Math.min(COMMON_AT_MOST, COMMON_SHARE * decisions));

/** Amounts are in every decision about money, so fewer are read for one. */
const STATING_AT_MOST = 200;

/** An amount that more decisions state does not select candidates. */
export const mostStating = (decisions: number): number =>
  Math.min(STATING_AT_MOST, mostHolding(decisions));
