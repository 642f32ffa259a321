import {
  AFTER_EVENT_MS,
  BEFORE_DECISION_MS,
  HOLDER_REACH_MS,
  MAX_IDS,
  mostHolding,
  mostStating,
} from '@decision-ledger/attribution/candidate-search';
import type { ComparedEvent } from '@decision-ledger/attribution/comparison';
import {
  type HashedFeatures,
  idTokens,
  lookupTokens,
} from '@decision-ledger/attribution/hashed-features';
import { isCase, possibleLinks } from '@decision-ledger/attribution/links';
import type { LedgerReader } from '../../../platform/ledger.js';
import { unpackFeatures } from './rules/packed-features.js';
import {
  type CandidateRow,
  selectCandidates,
  selectLinkedCandidates,
} from './store/select-candidates.js';
import { selectFrequencies } from './store/tokens.js';

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
    idsTo: interval.to + BEFORE_DECISION_MS,
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

/** A candidate with its features, unpacked once for links and for scores. */
export type OpenedCandidate = Omit<CandidateRow, 'features'> & {
  readonly features: HashedFeatures;
};

export const openCandidate = (row: CandidateRow): OpenedCandidate => ({
  ...row,
  features: unpackFeatures(row.features),
});

/** An event with the candidates that were found for it. */
export interface EventCandidates {
  readonly event: ComparedEvent;
  readonly rows: readonly OpenedCandidate[];
}

/** The candidates of events with those found through a link, such as a ticket; and how common links are. */
export interface Followed {
  /** By event, each in the order of recording. */
  readonly rows: readonly (readonly OpenedCandidate[])[];
  /** By event, the tokens through which its candidates were found: a later decision may hold one. */
  readonly links: readonly (readonly number[])[];
  readonly frequencies: ReadonlyMap<number, number>;
}

/**
 * Adds the decisions that share an identifier of one case with a candidate that names a transaction of the
 * event. Most events need no query.
 * @param frequencies approximate number of decisions with each token of the events; a missing one is rare
 */
export async function followLinks(
  ledger: LedgerReader,
  found: readonly EventCandidates[],
  frequencies: ReadonlyMap<number, number>,
): Promise<Followed> {
  const heldBy = (token: number) => frequencies.get(token) ?? 0;
  const possible = found.map(({ event, rows }) => [...possibleLinks(event, rows, heldBy).keys()]);
  const tokens = [...new Set(possible.flat())];
  if (tokens.length === 0) {
    return { rows: found.map(({ rows }) => rows), links: possible, frequencies };
  }
  const linkFrequencies = await selectFrequencies(ledger, tokens);
  const linkHeldBy = (token: number) => linkFrequencies.get(token) ?? 0;
  const links = possible.map((own) => own.filter((token) => isCase(token, linkHeldBy)));
  const rows = await Promise.all(
    found.map(async ({ event: { interval }, rows: own }, at) => {
      const followed = links[at] ?? [];
      if (followed.length === 0) return own;
      const linked = await selectLinkedCandidates(ledger, {
        links: followed,
        from: interval.from - HOLDER_REACH_MS,
        to: interval.to + AFTER_EVENT_MS,
      });
      return inOrder([...own, ...linked.map(openCandidate)]);
    }),
  );
  return { rows, links, frequencies: new Map([...frequencies, ...linkFrequencies]) };
}

/** Each decision once, in the order of recording. */
function inOrder(rows: readonly OpenedCandidate[]): OpenedCandidate[] {
  return [...new Map(rows.map((row) => [row.seq, row])).values()].sort((a, b) => a.seq - b.seq);
}
