import {
  AFTER_EVENT_MS,
  HOLDER_REACH_MS,
  MAX_IDS,
  mostHolding,
  mostStating,
} from '@decision-ledger/attribution/candidate-search';
import type { ComparedEvent } from '@decision-ledger/attribution/comparison';
import { idTokens, lookupTokens } from '@decision-ledger/attribution/hashed-features';
import type { LedgerReader } from '../../../platform/ledger.js';
import { type CandidateRow, selectCandidates } from './store/select-candidates.js';

export interface CandidateLookup {
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
  { windowMs: window, frequencies, decisions, alsoSeq = null }: CandidateLookup,
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
