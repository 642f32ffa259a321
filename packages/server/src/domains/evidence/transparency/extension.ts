import { setImmediate as nextTurn } from 'node:timers/promises';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { checkConsistency, proveConsistency } from '@decision-ledger/proof/tlog/proofs';
import type { LedgerReader } from '../../../platform/ledger.js';
import { LEAVES_PER_STEP } from './extend.js';
import { LogFault } from './fault.js';
import { nodesOf } from './nodes.js';
import { appendLeaves, openFrontier } from './rules/tiles.js';
import type { CheckpointRow } from './store/checkpoints.js';
import { selectLeaves } from './store/leaves.js';
import type { LogRow } from './store/tlogs.js';

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
    const leaves = await selectLeaves(ledger, log.chain, range.end, size, LEAVES_PER_STEP);
    if (leaves.first !== range.end + 1 || leaves.last !== range.end + leaves.count) return false;
    appendLeaves(range, leaves.hashes);
    await nextTurn();
  }
  return Buffer.from(range.root()).equals(root);
}
