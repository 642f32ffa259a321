import type { Ledger } from '../ledger.js';
import { deleteDue, insertDueOf, lockDue, postponeDue, selectDue } from './due-work.js';
import type { DueFollower, Subjects } from './follower.js';

/**
 * The next subjects that are due, or that time made due; null if none is.
 * @param now ms
 * @param limit the most subjects
 */
export async function nextSubjects(
  ledger: Ledger,
  { name, found }: DueFollower,
  now: number,
  limit: number,
): Promise<Subjects | null> {
  let due = await selectDue(ledger, name, now, limit + 1);
  if (due.length === 0 && found !== undefined) {
    await ledger.write((tx) => insertDueOf(tx, name, found(ledger.ledgerId, now)));
    due = await selectDue(ledger, name, now, limit + 1);
  }
  if (due.length === 0) return null;
  return { due: due.slice(0, limit), isLast: due.length <= limit };
}

/**
 * Reads and computes, then writes, after which the subjects are no longer due, in one transaction. One that was hastened since
 * it was read is due still.
 * @returns false if the subjects have to wait for something else
 * @throws what the step throws
 */
export async function takeDue(
  ledger: Ledger,
  follower: DueFollower,
  subjects: Subjects,
): Promise<boolean> {
  const { name } = follower;
  const step = await follower.advance(ledger, subjects);
  if (step === null) return false;
  await ledger.write(async (tx) => {
    await step.lock?.(tx);
    const still = await lockDue(tx, name, subjects.due);
    if (still.length === 0) return;
    const done = await step.write(tx, still);
    if (step.again === undefined) await deleteDue(tx, name, done);
    else await postponeDue(tx, name, done, step.again);
  });
  return true;
}

/**
 * Does what is due for a ledger, until it has to wait for something else.
 * @throws what a step throws
 */
export async function catchUpDue(
  ledger: Ledger,
  follower: DueFollower,
  signal: AbortSignal,
): Promise<void> {
  for (let goesOn = true; goesOn; ) {
    signal.throwIfAborted();
    const subjects = await nextSubjects(ledger, follower, ledger.clock.now(), follower.step);
    goesOn = subjects !== null && (await takeDue(ledger, follower, subjects));
  }
}
