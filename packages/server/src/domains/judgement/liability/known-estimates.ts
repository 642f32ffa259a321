import type { Sql } from 'sql-template-tag';
import { type Position, selectPosition } from '../../../platform/followers/positions.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { firstEstimatePages } from './first-estimates.js';
import { estimateSources, type NewEstimate, selectStoredSeqs } from './store/estimates.js';
import { ESTIMATES } from './store/exposure.js';

/** The estimates of one state of a ledger. */
export interface KnownEstimates {
  /** As tables of a statement: the stored ones, and those that are made for this reading. */
  readonly sources: readonly Sql[];
  /** Every decision up to this one has an estimate in them. */
  readonly as_of_seq: number;
  /** How many later decisions there are. */
  readonly pending: number;
}

/** The most decisions, and pages of their payloads, that a reading estimates. */
const MAX_DECISIONS = 2000;
const MAX_PAGES = 8;

/** @param snapshot one snapshot for all statements: otherwise, an estimate stored between two of them is counted twice */
export async function readKnownEstimates(snapshot: LedgerReader): Promise<KnownEstimates> {
  const position = await selectPosition(snapshot, ESTIMATES, 'decisions');
  return storedAt(snapshot, position) ?? readUnstored(snapshot, position);
}

/** If the estimates of all decisions are stored, which costs one short statement; else null. */
export async function readStored(ledger: LedgerReader): Promise<KnownEstimates | null> {
  return storedAt(ledger, await selectPosition(ledger, ESTIMATES, 'decisions'));
}

function storedAt({ ledgerId }: LedgerReader, { seq, head }: Position): KnownEstimates | null {
  if ((seq ?? 0) < head) return null;
  return { sources: estimateSources(ledgerId, [], head), as_of_seq: head, pending: 0 };
}

/**
 * Reads figures that estimates are part of. Several statements see one state if some estimates are not stored.
 * @param read may be given the ledger itself
 */
export async function withEstimates<Result>(
  ledger: Ledger,
  read: (reader: LedgerReader, known: KnownEstimates) => Promise<Result>,
): Promise<Result> {
  const stored = await readStored(ledger);
  if (stored !== null) return read(ledger, stored);
  return ledger.read(async (snapshot) => read(snapshot, await readKnownEstimates(snapshot)));
}

async function readUnstored(
  snapshot: LedgerReader,
  { seq, head }: Position,
): Promise<KnownEstimates> {
  const after = seq ?? 0;
  const until = Math.min(head, after + MAX_DECISIONS);
  // A change of links may have stored some of them already.
  const stored = new Set(await selectStoredSeqs(snapshot, { after, until }));
  const unstored: NewEstimate[] = [];
  let as_of_seq = after;
  let pages = 0;
  for await (const page of firstEstimatePages(snapshot, { after, until })) {
    unstored.push(...page.filter((first) => !stored.has(first.seq)));
    as_of_seq = page.at(-1)?.seq ?? as_of_seq;
    pages += 1;
    if (pages === MAX_PAGES) break;
  }
  if (pages < MAX_PAGES) as_of_seq = until;
  const sources = estimateSources(snapshot.ledgerId, unstored, as_of_seq);
  return { sources, as_of_seq, pending: head - as_of_seq };
}
