import { setImmediate as nextTurn } from 'node:timers/promises';
import { readCheckpoint } from '@decision-ledger/proof/tlog/checkpoint';
import { CompactRange, HASH_BYTES } from '@decision-ledger/proof/tlog/tree';
import type { ChainName } from '../../../platform/chain/head.js';
import type { Ledger, LedgerReader } from '../../../platform/ledger.js';
import { STEP } from './extend.js';
import { faultOf, LogFault } from './fault.js';
import { requireWhole } from './require-whole.js';
import { appendLeaves } from './rules/tiles.js';
import { type CheckpointRow, selectCheckpoints, thinCheckpoints } from './store/checkpoints.js';
import { selectLeaves } from './store/leaves.js';
import { selectTile } from './store/tiles.js';
import { type LogRow, selectLog, updateRebuilt } from './store/tlogs.js';

const CHAINS: readonly ChainName[] = ['decisions', 'activity'];
const CHECKPOINTS = 1000;

/**
 * Builds the trees of a ledger again from the records of its chains, and compares them with what is stored
 * and signed. A fault is noted, or one that is gone is withdrawn. Then thins old checkpoints.
 * @throws LogFault
 */
export async function rebuildLogs(ledger: Ledger, signal: AbortSignal): Promise<void> {
  const faults: string[] = [];
  for (const chain of CHAINS) {
    const log = await selectLog(ledger, chain);
    if (log === null) continue;
    const fault = await compare(ledger, log, signal);
    await ledger.write((tx) => updateRebuilt(tx, log, fault, tx.clock.now()));
    if (fault !== null) faults.push(fault);
    else while ((await ledger.write((tx) => thinCheckpoints(tx, log))) > 0) signal.throwIfAborted();
  }
  if (faults.length > 0) throw new LogFault(faults.join('; '));
}

/** @returns what differs first; null if nothing does */
async function compare(ledger: Ledger, log: LogRow, signal: AbortSignal): Promise<string | null> {
  try {
    await requireWhole(ledger);
    const range = CompactRange.empty(0);
    const checkpoints = new Checkpoints(ledger, log);
    await checkpoints.check(range);
    while (range.end < log.size) {
      signal.throwIfAborted();
      // A step ends where a checkpoint does, so that its root can be compared.
      const until = Math.min(log.size, await checkpoints.nextSize());
      await compareStep(ledger, log, range, until);
      await checkpoints.check(range);
      await nextTurn();
    }
    if (Buffer.concat(range.hashes()).equals(log.frontier)) return null;
    return `${log.origin} has another tree than its records`;
  } catch (error) {
    const fault = faultOf(error);
    if (fault === null) throw error;
    return `${log.origin}: ${fault.message}`;
  }
}

async function compareStep(
  ledger: Ledger,
  log: LogRow,
  range: CompactRange,
  until: number,
): Promise<void> {
  const leaves = await selectLeaves(ledger, log.chain, range.end, until, STEP);
  const isWhole = leaves.first === range.end + 1 && leaves.last === range.end + leaves.count;
  if (leaves.count === 0 || !isWhole) {
    throw new LogFault(`the chain of ${log.chain} lacks a record after ${range.end}`);
  }
  for (const part of appendLeaves(range, leaves.hashes)) {
    const stored = await selectTile(ledger, log, part, part.hashes.length / HASH_BYTES);
    if (stored.equals(part.hashes)) continue;
    const { level, tile } = part;
    throw new LogFault(`tile ${tile} of level ${level} of ${log.origin} differs from its records`);
  }
}

/** The checkpoints of a log in the order of their sizes, read page by page. */
class Checkpoints {
  readonly #ledger: LedgerReader;
  readonly #log: LogRow;
  #page: CheckpointRow[] = [];
  #after = -1;
  #isLast = false;

  constructor(ledger: LedgerReader, log: LogRow) {
    this.#ledger = ledger;
    this.#log = log;
  }

  /** Size of the next checkpoint; beyond all sizes after the last one. */
  async nextSize(): Promise<number> {
    return (await this.#next())?.size ?? Number.MAX_SAFE_INTEGER;
  }

  /** Compares the checkpoint of the tree of this size, if there is one. */
  async check(range: CompactRange): Promise<void> {
    const next = await this.#next();
    if (next === undefined || next.size !== range.end) return;
    this.#page.shift();
    const { origin, size, root } = readCheckpoint(next.note);
    const actual = Buffer.from(range.root());
    const isSame = actual.equals(next.root) && actual.equals(root) && size === next.size;
    if (isSame && origin === this.#log.origin) return;
    throw new LogFault(
      `${this.#log.origin} has another tree of ${next.size} leaves than it signed`,
    );
  }

  async #next(): Promise<CheckpointRow | undefined> {
    if (this.#page.length === 0 && !this.#isLast) {
      this.#page = await selectCheckpoints(this.#ledger, this.#log, this.#after, CHECKPOINTS);
      this.#after = this.#page.at(-1)?.size ?? this.#after;
      this.#isLast = this.#page.length < CHECKPOINTS;
    }
    return this.#page[0];
  }
}
