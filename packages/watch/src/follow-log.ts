import { isDeepStrictEqual } from 'node:util';
import { type Checkpoint, openCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { type ReadTile, tileNodes } from '@decision-ledger/proof/tlog/tiles';
import { CompactRange, rangeNodes } from '@decision-ledger/proof/tlog/tree';
import { type VerifierKey, verifierKeyText } from '@decision-ledger/proof/tlog/verifier-key';
import type { AlarmKind } from './alarms.js';
import { ForkError } from './fork.js';
import type { KeptNotes, SeenCheckpoint } from './kept-notes.js';
import { verifyEd25519 } from './log-key.js';
import { type Chain, type LogSource, SourceError } from './source.js';

/** A log that is followed. */
export interface FollowedLog {
  readonly chain: Chain;
  readonly key: VerifierKey;
  readonly notes: KeptNotes;
  readonly source: LogSource;
}

/** What a look at a log found: its last tree, and what is wrong. */
export interface Look {
  readonly size: number | null;
  readonly alarms: ReadonlyMap<AlarmKind, string>;
}

/**
 * Reads the checkpoint of a log, compares it with those that were kept, and keeps it. Answers that are missing or make no
 * sense become alarms.
 * @throws ForkError
 */
export async function lookAt(log: FollowedLog, now: () => number): Promise<Look> {
  const alarms = new Map<AlarmKind, string>();
  let seen: SeenCheckpoint | null = null;
  try {
    seen = await readCheckpoint(log);
  } catch (error) {
    if (error instanceof SourceError) alarms.set('unreachable', error.message);
    else if (error instanceof TlogError) alarms.set('invalid', error.message);
    else throw error;
  }
  if (seen !== null) await take(log, seen, alarms, now);
  return { size: seen?.size ?? null, alarms };
}

async function readCheckpoint({ chain, key, source }: FollowedLog): Promise<SeenCheckpoint> {
  const note = await source.checkpoint(chain);
  return { ...(await openCheckpoint(note, key, verifyEd25519)), note };
}

async function take(
  log: FollowedLog,
  seen: SeenCheckpoint,
  alarms: Map<AlarmKind, string>,
  now: () => number,
): Promise<void> {
  const { notes, key } = log;
  if (seen.size < notes.last) {
    alarms.set('shrunk', `${key.name} has ${seen.size} records, after ${notes.last} before`);
  }
  const same = await notes.at(seen.size);
  if (same !== null) {
    if (!isSameTree(same, seen)) throw forkOf(key, same, seen, now);
    return;
  }
  const problem = await compareWithKept(log, seen, now);
  if (problem === null) {
    await notes.keep(seen);
    await proveWaiting(log, seen, now);
    return;
  }
  // What it contradicts may not be known yet, but what was signed is kept.
  const waiting = await notes.keepUnproven(seen);
  if (waiting !== null && !isSameTree(waiting, seen)) throw forkOf(key, waiting, seen, now);
  alarms.set('unproven', problem);
}

/**
 * Compares a checkpoint with its kept neighbours.
 * @returns why it could not be compared; null if it goes on from the one before, and the one after from it
 * @throws ForkError
 */
export async function compareWithKept(
  { notes, key, chain, source }: Pick<FollowedLog, 'notes' | 'key' | 'chain' | 'source'>,
  seen: SeenCheckpoint,
  now: () => number,
): Promise<string | null> {
  const read = source.tiles(chain);
  const pairs: [SeenCheckpoint | null, SeenCheckpoint | null][] = [
    [await notes.before(seen.size), seen],
    [seen, await notes.after(seen.size)],
  ];
  // All are compared: one that cannot be does not hide a fork.
  const problems: string[] = [];
  for (const [earlier, later] of pairs) {
    if (earlier === null || later === null) continue;
    const problem = await compare(key, earlier, later, read, now);
    if (problem !== null) problems.push(problem);
  }
  return problems[0] ?? null;
}

/** @returns why they could not be compared, or null */
async function compare(
  key: VerifierKey,
  earlier: SeenCheckpoint,
  later: SeenCheckpoint,
  read: ReadTile,
  now: () => number,
): Promise<string | null> {
  try {
    if (await goesOn(earlier, later, read)) return null;
  } catch (error) {
    if (!(error instanceof SourceError || error instanceof TlogError)) throw error;
    const pair = `${earlier.size} and ${later.size} records`;
    return `the trees of ${key.name} with ${pair} could not be compared: ${error.message}`;
  }
  throw forkOf(key, earlier, later, now);
}

/** Compares what waited with a checkpoint whose tiles were read. */
async function proveWaiting(
  { notes, key, chain, source }: FollowedLog,
  seen: SeenCheckpoint,
  now: () => number,
): Promise<void> {
  for (const waiting of await notes.unproven()) {
    if (waiting.size > seen.size) continue;
    if (waiting.size === seen.size && !isSameTree(waiting, seen)) {
      throw forkOf(key, waiting, seen, now);
    }
    const problem = await compare(key, waiting, seen, source.tiles(chain), now);
    if (problem === null) await notes.prove(waiting.size);
  }
}

/** Both notes are signed by the log, and cannot both be true. */
function forkOf(
  key: VerifierKey,
  one: SeenCheckpoint,
  other: SeenCheckpoint,
  now: () => number,
): ForkError {
  const sizes = one.size === other.size ? `${one.size}` : `${one.size} and ${other.size}`;
  return new ForkError({
    origin: key.name,
    verifier_key: verifierKeyText(key),
    found_at: new Date(now()).toISOString(),
    meaning: `${key.name} signed two histories: its trees of ${sizes} records contradict each other`,
    notes: [one.note, other.note],
  });
}

/**
 * Whether a tree goes on from an earlier one, by the tiles of the later one. The tiles have to make the root of the
 * later tree; what they make of the leaves of the earlier one is then beyond doubt, so `false` proves a fork.
 *
 * @throws TlogError if the tiles do not make the later tree; what `read` throws
 */
async function goesOn(earlier: Checkpoint, later: Checkpoint, read: ReadTile): Promise<boolean> {
  const before = rangeNodes(0, earlier.size);
  const added = rangeNodes(earlier.size, later.size);
  const hashes = await tileNodes(later.size, read)([...before, ...added]);
  const range = CompactRange.of(0, earlier.size, hashes.slice(0, before.length));
  const root = range.root();
  range.merge(CompactRange.of(earlier.size, later.size, hashes.slice(before.length)));
  if (!isSame(range.root(), later.root)) {
    const message = `The tiles of ${later.origin} do not make its tree of ${later.size} leaves.`;
    throw new TlogError('root_mismatch', message);
  }
  return isSame(root, earlier.root);
}

/** Whether two trees are the same. */
export function isSameTree(one: Checkpoint, other: Checkpoint): boolean {
  return one.size === other.size && isSame(one.root, other.root);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return isDeepStrictEqual(Buffer.from(one), Buffer.from(other));
}
