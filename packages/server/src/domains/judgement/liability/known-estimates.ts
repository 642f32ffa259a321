import type { Sql } from 'sql-template-tag';
import { readChain } from '../../../platform/chain/head.js';
import { type FollowerPosition, selectPosition } from '../../../platform/followers/positions.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { selectLastErasure } from '../../record/decisions/index.js';
import { type FirstPage, firstEstimatePages } from './first-estimates.js';
import { estimateSources, selectStoredSeqs } from './store/estimates.js';
import { ESTIMATES } from './store/exposure.js';

/** The estimates of one state of a ledger. */
export interface KnownEstimates {
  /** As tables of a statement: the stored ones, and those that are made for this reading. */
  readonly sources: readonly Sql[];
  /** Every decision up to this one has an estimate in them. Those of later ones, if there are any, are not to be counted. */
  readonly as_of_seq: number;
  /** How many later decisions there are. */
  readonly pending: number;
}

/** The most decisions that a reading estimates; it reads one page of their payloads. */
const MAX_DECISIONS = 2000;

/** @param snapshot one snapshot for all statements: otherwise, an estimate stored between two of them is counted twice */
export async function readKnownEstimates(snapshot: LedgerReader): Promise<KnownEstimates> {
  const position = await positionIn(snapshot);
  return storedAt(snapshot, position) ?? readUnstored(snapshot, position);
}

/** If the estimates of all decisions are stored, which costs one short statement; else null. */
export async function readStoredEstimates(ledger: LedgerReader): Promise<KnownEstimates | null> {
  return storedAt(ledger, await positionIn(ledger));
}

/** Whether the cells still have the estimates up to the same decision, and no others. */
export async function isUnmoved(
  ledger: LedgerReader,
  { as_of_seq }: KnownEstimates,
): Promise<boolean> {
  const { seq } = await positionIn(ledger);
  return (seq ?? 0) === as_of_seq;
}

/**
 * Reads figures that estimates are part of. Several statements see one state if some estimates are not stored, or if some
 * were stored while they were read.
 * @param read may be given the ledger itself, and may be called twice
 */
export async function withEstimates<Result>(
  ledger: Ledger,
  read: (reader: LedgerReader, known: KnownEstimates) => Promise<Result>,
): Promise<Result> {
  const stored = await readStoredEstimates(ledger);
  if (stored !== null) {
    const result = await read(ledger, stored);
    if (await isUnmoved(ledger, stored)) return result;
  }
  return ledger.read(async (snapshot) => read(snapshot, await readKnownEstimates(snapshot)));
}

function positionIn(ledger: LedgerReader): Promise<FollowerPosition> {
  return selectPosition(ledger, ESTIMATES, 'decisions');
}

/** The decision (seq) up to which all estimates have been stored: one that is missing is lost. */
export async function storedUntil(ledger: LedgerReader): Promise<number> {
  return (await positionIn(ledger)).seq ?? 0;
}

function storedAt(
  { ledgerId }: LedgerReader,
  { seq, head }: FollowerPosition,
): KnownEstimates | null {
  if ((seq ?? 0) < head) return null;
  return { sources: estimateSources(ledgerId, []), as_of_seq: head, pending: 0 };
}

async function readUnstored(
  snapshot: LedgerReader,
  { seq, head }: FollowerPosition,
): Promise<KnownEstimates> {
  const after = seq ?? 0;
  const page = await readShared(snapshot, after, Math.min(head, after + MAX_DECISIONS));
  // A change of links may have stored some of them already.
  const stored = new Set(await selectStoredSeqs(snapshot, { after, until: page.until }));
  const gap = page.unmade.find((seq) => !stored.has(seq));
  const as_of_seq = gap === undefined ? page.until : gap - 1;
  const unstored = page.made.filter((first) => first.seq <= as_of_seq && !stored.has(first.seq));
  const sources = estimateSources(snapshot.ledgerId, unstored);
  return { sources, as_of_seq, pending: head - as_of_seq };
}

/** Answers that are read one after another while the follower is behind share what is made for them. */
const pages = new Map<string, Promise<FirstPage>>();
/** How long a page is kept, in ms, and how many. */
const KEPT_MS = 1000;
const MOST_KEPT = 4;

/** A page follows from the chain up to its head, unless fields were erased. */
async function readShared(
  snapshot: LedgerReader,
  after: number,
  until: number,
): Promise<FirstPage> {
  const chain = await readChain(snapshot, 'decisions');
  const erasure = await selectLastErasure(snapshot);
  const key = [snapshot.ledgerId, chain?.hash, after, until, erasure].join(' ');
  const read = () => readPage(snapshot, after, until);
  const known = pages.get(key);
  // What failed in the transaction of another reading may succeed in this one.
  if (known !== undefined) return known.catch(read);
  const page = read();
  if (pages.size < MOST_KEPT) {
    pages.set(key, page);
    const forget = () => setTimeout(() => pages.delete(key), KEPT_MS).unref();
    page.then(forget, () => pages.delete(key));
  }
  return page;
}

async function readPage(snapshot: LedgerReader, after: number, until: number): Promise<FirstPage> {
  for await (const page of firstEstimatePages(snapshot, { after, until })) return page;
  return { made: [], unmade: [], until: after };
}
