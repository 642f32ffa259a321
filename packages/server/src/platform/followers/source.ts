import type { ChainName } from '../chain/head.js';
import type { Ledger } from '../ledger.js';
import { nextSubjects, takeDue } from './due-step.js';
import { noteDueFailure } from './due-work.js';
import {
  type DueFollower,
  type Follower,
  followsLogs,
  type LogFollower,
  type Records,
  type Subjects,
} from './follower.js';
import {
  type Failure,
  insertFailed,
  lockPosition,
  movePosition,
  noteFailure,
} from './positions.js';
import { nextRecords, takeStep } from './step.js';

/** What one step takes. */
export interface Batch {
  /** How many records or subjects. */
  readonly size: number;
  /** @returns false if nothing was taken: another process did it, or it has to wait, or it has to be read again */
  take(): Promise<boolean>;
  /**
   * Notes that it failed.
   * @param isOwn whether the cause is in the batch itself
   * @returns whether the follower goes on behind it now
   */
  giveUp(failure: Failure, isOwn: boolean): Promise<boolean>;
}

/** What a follower has to do for a ledger, from the beginning of a turn to its end. */
export interface Source {
  /**
   * @param limit the most records or subjects
   * @returns null if nothing is left
   */
  next(limit: number): Promise<Batch | null>;
}

export function sourceOf(ledger: Ledger, follower: Follower): Source {
  return followsLogs(follower) ? logSource(ledger, follower) : dueSource(ledger, follower);
}

/** The records of each log, up to its end: what is appended after that is of the next turn. */
function logSource(ledger: Ledger, follower: LogFollower): Source {
  const ended = new Set<ChainName>();
  const batchOf = (records: Records): Batch => ({
    size: records.until - records.after,
    async take() {
      const isTaken = await takeStep(ledger, follower, records);
      if (isTaken && records.isLast) ended.add(records.log);
      return isTaken;
    },
    giveUp: (failure, isOwn) => giveUpRecords(ledger, follower, records, { failure, isOwn }),
  });
  return {
    async next(limit) {
      for (const log of follower.follows) {
        const records = ended.has(log) ? null : await nextRecords(ledger, follower, log, limit);
        if (records !== null) return batchOf(records);
        ended.add(log);
      }
      return null;
    },
  };
}

/** A single record is passed over by a projection; any other follower stops before it. */
async function giveUpRecords(
  ledger: Ledger,
  { name, kind }: LogFollower,
  { log, after, until }: Records,
  { failure, isOwn }: { readonly failure: Failure; readonly isOwn: boolean },
): Promise<boolean> {
  const isPassed = kind === 'projection' && isOwn && until > after;
  await ledger.write(async (tx) => {
    if ((await lockPosition(tx, name, log)) !== after) return;
    if (!isPassed) return noteFailure(tx, name, log, failure);
    await insertFailed(tx, name, log, { ...failure, seq: until });
    await movePosition(tx, name, log, until);
  });
  return isPassed;
}

/** The subjects that are due. One that fails is set aside, and the others do not wait for it. */
function dueSource(ledger: Ledger, follower: DueFollower): Source {
  let hasToWait = false;
  const batchOf = (subjects: Subjects): Batch => ({
    size: subjects.due.length,
    async take() {
      const isTaken = await takeDue(ledger, follower, subjects);
      hasToWait = !isTaken;
      return isTaken;
    },
    async giveUp(failure, isOwn) {
      await ledger.write((tx) => noteDueFailure(tx, follower.name, subjects.due, failure));
      return isOwn;
    },
  });
  return {
    async next(limit) {
      if (hasToWait) return null;
      const subjects = await nextSubjects(ledger, follower, ledger.clock.now(), limit);
      return subjects === null ? null : batchOf(subjects);
    },
  };
}
