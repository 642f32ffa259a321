import { setImmediate as nextTurn } from 'node:timers/promises';
import { TlogError } from '@decision-ledger/proof/tlog/error';
import { checkConsistency, proveConsistency } from '@decision-ledger/proof/tlog/proofs';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { UnmakeableError } from '../../../platform/projections/projection.js';
import { nodesOf } from './prove.js';
import { appendLeaves, openFrontier } from './rules/tiles.js';
import type { CheckpointRow } from './store/checkpoints.js';
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
