import { setImmediate as nextTurn } from 'node:timers/promises';
import { readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { CompactRange } from '@decision-ledger/proof/tlog/tree';
import type { LedgerReader } from '../../../platform/ledger.js';
import { LEAVES_PER_STEP, LogFault } from './extend.js';
import { appendLeaves } from './rules/tiles.js';
import { type CheckpointRow, selectCheckpoints } from './store/checkpoints.js';
import { selectLeaves } from './store/leaves.js';
import type { LogRow } from './store/tlogs.js';

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
