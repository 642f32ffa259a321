import { setImmediate as nextTurn } from 'node:timers/promises';
import { readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { checkConsistency, proveConsistency } from '@decision-ledger/proof/tlog/proofs';
import { CompactRange } from '@decision-ledger/proof/tlog/tree';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { UnmakeableError } from '../../../platform/projections/projection.js';
import { nodesOf } from './prove.js';
import { appendLeaves, openFrontier } from './rules/tiles.js';
import { type CheckpointRow, selectCheckpoints } from './store/checkpoints.js';
import { selectLeaves } from './store/leaves.js';
import { appendToTile } from './store/tiles.js';
import { type LogRow, updateSize } from './store/tlogs.js';

/** Leaves that are hashed without a pause: about 10 ms. */
export const LEAVES_PER_STEP = 8192;

/**
 * Extends the tree of a locked log up to a record, by at most STEP leaves.
 * @throws LogFault if the chain or the tiles have a gap
 */
export async function extendStep(tx: LedgerWriter, log: LogRow, until: number): Promise<LogRow> {
  const leaves = await selectLeaves(tx, log.chain, {
    after: log.size,
    until,
    limit: LEAVES_PER_STEP,
  });
  if (leaves.count === 0) return log;
  const size = log.size + leaves.count;
  if (leaves.first !== log.size + 1 || leaves.last !== size) {
    throw new LogFault(`the chain of ${log.chain} lacks a record after ${log.size}`);
  }
  const range = openFrontier(log.size, log.frontier);
  for (const part of appendLeaves(range, leaves.hashes)) {
    if (await appendToTile(tx, log, part)) continue;
    const { level, tile, offset } = part;
    throw new LogFault(
      `tile ${tile} of level ${level} of ${log.origin} does not end at ${offset} hashes`,
    );
  }
  const frontier = Buffer.concat(range.hashes());
  await updateSize(tx, log, size, frontier);
  return { ...log, size, frontier };
}

export type TreeRoot = Pick<CheckpointRow, 'size' | 'root'>;

/**
 * Checks that the tree of a log goes on from an earlier one.
 * @throws LogFault
 */
export async function requireExtension(
  ledger: LedgerReader,
  log: LogRow,
  last: TreeRoot,
): Promise<void> {
  const root = openFrontier(log.size, log.frontier).root();
  try {
    const proof = await proveConsistency(last.size, log.size, nodesOf(ledger, log, log.size));
    checkConsistency({
      first: last.size,
      second: log.size,
      firstRoot: last.root,
      secondRoot: root,
      proof,
    });
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    const message = `the tree of ${log.size} leaves of ${log.origin} does not go on from its checkpoint`;
    throw new LogFault(`${message} of ${last.size} leaves: ${error.message}`, { cause: error });
  }
}

/** Whether the records of a chain make a tree, which is larger than the stored one of the log; null without one. */
export async function recordsMake(
  ledger: LedgerReader,
  log: Pick<LogRow, 'chain' | 'size' | 'frontier'>,
  { size, root }: TreeRoot,
): Promise<boolean> {
  const range = openFrontier(log.size, log.frontier);
  while (range.end < size) {
    const leaves = await selectLeaves(ledger, log.chain, {
      after: range.end,
      until: size,
      limit: LEAVES_PER_STEP,
    });
    if (leaves.first !== range.end + 1 || leaves.last !== range.end + leaves.count) return false;
    appendLeaves(range, leaves.hashes);
    await nextTurn();
  }
  return Buffer.from(range.root()).equals(root);
}

/**
 * A log contradicts the records of its chain or its own checkpoints. No further checkpoint of it is signed
 * until a rebuild finds that they agree.
 */
export class LogFault extends Error {
  override readonly name = 'LogFault';
}

/** The fault that an error stands for: stored hashes or notes may have lost their form. Null for others. */
export function faultOf(error: unknown): LogFault | null {
  if (error instanceof LogFault) return error;
  const isOfLog = error instanceof TlogError || error instanceof UnmakeableError;
  return isOfLog ? new LogFault(error.message, { cause: error }) : null;
}

/** What is wrong, with the log that it is wrong with. */
export function ofLog({ origin }: { readonly origin: string }, { message }: LogFault): string {
  return message.startsWith(origin) ? message : `${origin}: ${message}`;
}

const CHECKPOINTS = 1000;

/** A tile from level 1 on, whole: 32 bytes for each hash. */
export interface Tile {
  readonly level: number;
  readonly tile: number;
  readonly hashes: Buffer;
}

/**
 * The tree of a log, made again from the records of its chain and compared with the checkpoints that were signed. Its tiles
 * have one hash for 256 records, so they are kept in memory.
 */
export class LogTree {
  readonly range = CompactRange.empty(0);
  readonly #log: Pick<LogRow, 'chain' | 'generation' | 'origin'>;
  readonly #signal: AbortSignal | undefined;
  /** By level and place. */
  readonly #tiles = new Map<string, Tile>();
  #page: CheckpointRow[] = [];
  #after = -1;

  constructor(log: Pick<LogRow, 'chain' | 'generation' | 'origin'>, signal?: AbortSignal) {
    this.#log = log;
    this.#signal = signal;
  }

  /**
   * Adds the records up to one.
   * @throws LogFault if the chain lacks one, or they make another tree than was signed; TlogError for a damaged checkpoint
   */
  async extend(reader: LedgerReader, size: number): Promise<void> {
    while (this.range.end < size) {
      this.#signal?.throwIfAborted();
      await this.#step(reader, size);
      await nextTurn();
    }
    await this.#check(reader);
  }

  /** In the order of their levels and places. */
  tiles(): Tile[] {
    return [...this.#tiles.values()].sort((a, b) => a.level - b.level || a.tile - b.tile);
  }

  frontier(): Buffer {
    return Buffer.concat(this.range.hashes());
  }

  /** Adds some records; a step ends where a checkpoint does, so that its root can be compared. */
  async #step(reader: LedgerReader, size: number): Promise<void> {
    const { chain } = this.#log;
    const next = await this.#check(reader);
    const until = Math.min(size, next?.size ?? size);
    const leaves = await selectLeaves(reader, chain, {
      after: this.range.end,
      until,
      limit: LEAVES_PER_STEP,
    });
    const isWhole =
      leaves.first === this.range.end + 1 && leaves.last === this.range.end + leaves.count;
    if (leaves.count === 0 || !isWhole) {
      throw new LogFault(`the chain of ${chain} lacks a record after ${this.range.end}`);
    }
    for (const { level, tile, hashes } of appendLeaves(this.range, leaves.hashes)) {
      const name = `${level} ${tile}`;
      const before = this.#tiles.get(name)?.hashes ?? Buffer.alloc(0);
      this.#tiles.set(name, { level, tile, hashes: Buffer.concat([before, hashes]) });
    }
  }

  /**
   * Compares the checkpoint of the tree of this size, if there is one.
   * @returns the next one
   */
  async #check(reader: LedgerReader): Promise<CheckpointRow | undefined> {
    let next = await this.#next(reader);
    while (next !== undefined && next.size <= this.range.end) {
      if (next.size === this.range.end) this.#compare(next);
      this.#page.shift();
      next = await this.#next(reader);
    }
    return next;
  }

  #compare(checkpoint: CheckpointRow): void {
    const { origin, size, root } = readCheckpoint(checkpoint.note);
    const actual = Buffer.from(this.range.root());
    const isSame =
      actual.equals(checkpoint.root) && actual.equals(root) && size === checkpoint.size;
    if (isSame && origin === this.#log.origin) return;
    throw new LogFault(
      `${this.#log.origin} has another tree of ${checkpoint.size} leaves than it signed`,
    );
  }

  async #next(reader: LedgerReader): Promise<CheckpointRow | undefined> {
    if (this.#page.length === 0) {
      this.#page = await selectCheckpoints(reader, this.#log, this.#after, CHECKPOINTS);
      this.#after = this.#page.at(-1)?.size ?? this.#after;
    }
    return this.#page[0];
  }
}
