import type { LedgerWriter } from '../../../platform/ledger.js';
import { LogFault } from './fault.js';
import { appendLeaves, openFrontier } from './rules/tiles.js';
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
  const leaves = await selectLeaves(tx, log.chain, log.size, until, LEAVES_PER_STEP);
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
