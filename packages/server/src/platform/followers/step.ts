import type { ChainName } from '../chain/head.js';
import { reasonOf } from '../failures.js';
import type { Ledger } from '../ledger.js';
import type { FollowerStep, LogFollower, Records } from './follower.js';
import { lockPosition, movePosition, selectPosition } from './positions.js';

/**
 * The next records of a log for a follower; null if it has taken all. The first step may have none.
 * @param limit the most records
 */
export async function nextRecords(
  ledger: Ledger,
  follower: LogFollower,
  log: ChainName,
  limit: number,
): Promise<Records | null> {
  const { seq, head } = await selectPosition(ledger, follower.name, log);
  if (seq !== null && head <= seq) return null;
  const after = seq ?? 0;
  const until = Math.min(head, after + limit);
  return { log, after, until, isLast: until === head };
}

/**
 * Reads and computes, then writes and moves the position in one transaction.
 * @returns false if another process moved the position meanwhile, or what was read is out of date: nothing is written
 * @throws what the step throws; AfterCommitError
 */
export async function takeStep(
  ledger: Ledger,
  follower: LogFollower,
  records: Records,
): Promise<boolean> {
  const { log, after, until } = records;
  try {
    const step = await follower.advance(ledger, records);
    const isTaken = await ledger.write(async (tx) => {
      if ((await lockPosition(tx, follower.name, log)) !== after) return false;
      await step.write(tx);
      await movePosition(tx, follower.name, log, until);
      return true;
    });
    if (isTaken) await afterCommit(ledger, follower, step);
    return isTaken;
  } catch (error) {
    if (error instanceof OutdatedError) return false;
    if (!(error instanceof AfterCommitError)) await follower.failed?.(ledger, log, error);
    throw error;
  }
}

/** Thrown by `write` if what the step read has changed since, such as by an erasure. The records are read again. */
export class OutdatedError extends Error {
  override readonly name = 'OutdatedError';
}

/** What follows the commit of a step failed. The records are taken. */
export class AfterCommitError extends Error {
  override readonly name = 'AfterCommitError';
}

async function afterCommit(
  ledger: Ledger,
  { name }: LogFollower,
  { committed }: FollowerStep,
): Promise<void> {
  try {
    await committed?.(ledger);
  } catch (cause) {
    throw new AfterCommitError(
      `${name} committed a step, and failed after it: ${reasonOf(cause)}`,
      {
        cause,
      },
    );
  }
}

/**
 * Takes all records that the logs of a ledger have.
 * @throws what a step throws
 */
export async function catchUp(
  ledger: Ledger,
  follower: LogFollower,
  signal: AbortSignal,
): Promise<void> {
  for (const log of follower.follows) {
    for (let isBehind = true; isBehind; ) {
      signal.throwIfAborted();
      const records = await nextRecords(ledger, follower, log, follower.step);
      if (records === null) break;
      const isTaken = await takeStep(ledger, follower, records);
      isBehind = !(isTaken && records.isLast);
    }
  }
}
