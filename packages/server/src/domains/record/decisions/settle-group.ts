import { LedgerError } from '@decision-ledger/contract/errors';
import type { Append } from './decide-steps.js';
import type { Appended, AppendOutcome } from './plan-group.js';

/** A request that waits for its group to be written. */
export interface Member {
  readonly append: Append;
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** Called after each group that was written. */
export type OnGroup = (decisions: number, seconds: number) => void;

/**
 * Answers each member of a group that was written, and announces the group.
 * @param outcomes one for each member, in order
 */
export function settleGroup(
  members: readonly Member[],
  outcomes: readonly AppendOutcome[],
  seconds: number,
  onGroup: OnGroup | undefined,
): void {
  let decisions = 0;
  for (const [index, member] of members.entries()) {
    settle(member, outcomes[index]);
    decisions += member.append.decisions.length;
  }
  onGroup?.(decisions, seconds);
}

function settle({ resolve, reject }: Member, outcome: AppendOutcome | undefined): void {
  if (outcome === undefined) reject(new Error('a request was left without an outcome'));
  else if (outcome instanceof LedgerError) reject(outcome);
  else resolve(outcome);
}

/** Fails every member of a group that was not written. */
export function rejectGroup(members: readonly Member[], error: unknown): void {
  for (const { reject } of members) reject(error);
}
