import type { AttributionSettings } from '@decision-ledger/contract/attribution';
import type { LedgerReader } from '../../../platform/ledger.js';
import { AFTER_EVENT_MS, type ComparedEvent, HOLDER_REACH_DAYS } from './rules/compared.js';
import { idTokens, lookupTokens } from './rules/hashed.js';
import type { Snapshot } from './rules/snapshot.js';
import { type CandidateRow, selectCandidates } from './store/select-candidates.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** For how long after a decision an event that names one of its identifiers is attributed to it. */
export const HOLDER_REACH_MS = HOLDER_REACH_DAYS * DAY_MS;

/** Half-lives after which a decision is no longer a candidate without an identifier. */
const REACH = 5;
/** A learned delay widens the window once it rests on this many delays. */
const MIN_LAGS = 5;

/** How long after a decision an event is attributed to it without an identifier: whole ms. */
export function windowMs(
  { half_life_hours, half_life_hours_by_action_type }: AttributionSettings,
  { pairs }: Pick<Snapshot, 'pairs'>,
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
const mostHolding = (decisions: number): number =>
  Math.max(COMMON_AT_LEAST, Math.min(COMMON_AT_MOST, COMMON_SHARE * decisions));

/** Amounts are in every decision about money, so fewer are read for one. */
const STATING_AT_MOST = 200;

/** An amount that more decisions state does not select candidates. */
export const mostStating = (decisions: number): number =>
  Math.min(STATING_AT_MOST, mostHolding(decisions));

/** The most identifiers that are looked up for one event, the rarest. */
const MAX_IDS = 48;

export interface Lookup {
  readonly windowMs: number;
  /** Approximate number of decisions with each token. */
  readonly frequencies: ReadonlyMap<number, number>;
  /** How many decisions there are. */
  readonly decisions: number;
  /** Position of a decision that is compared whatever it holds; null for none. */
  readonly alsoSeq?: number | null;
}

/**
 * Blocking: decisions of any age that hold an identifier of the event, those that share another rare
 * value with it or state its amount, and the nearest ones before it.
 */
export function findCandidates(
  ledger: LedgerReader,
  { interval, features, amountTokens }: ComparedEvent,
  { windowMs: window, frequencies, decisions, alsoSeq = null }: Lookup,
): Promise<CandidateRow[]> {
  const heldBy = (token: number) => frequencies.get(token) ?? 0;
  const ids = idTokens(features).sort((a, b) => heldBy(a) - heldBy(b) || a - b);
  const to = interval.to + AFTER_EVENT_MS;
  return selectCandidates(ledger, {
    ids: ids.slice(0, MAX_IDS),
    idsFrom: interval.from - HOLDER_REACH_MS,
    values: otherTokens(lookupTokens(features), ids).filter(
      (token) => heldBy(token) <= mostHolding(decisions),
    ),
    amounts: amountTokens.filter((token) => heldBy(token) <= mostStating(decisions)),
    valuesFrom: interval.from - window,
    to,
    alsoSeq,
  });
}

/** The look-up tokens that are no identifiers. */
export function otherTokens(tokens: readonly number[], ids: readonly number[]): number[] {
  const known = new Set(ids);
  return tokens.filter((token) => !known.has(token));
}
