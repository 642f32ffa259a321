import type { AlertNotice } from '@decision-ledger/contract/alert';

/** How the background work of one ledger stands. */
export interface Observation {
  /** Zero when nothing waits. */
  readonly oldestWaitingSeconds: number;
  readonly deadLetters: number;
}

/** What was told since all was well; a JSON value, to be kept until the next observation. */
export interface AlertState {
  readonly backlogTold: boolean;
  /** How many dead letters there were at the last observation, 0 before the first. */
  readonly deadLetters: number;
  /** How many dead letters were told, those that went away since included. */
  readonly deadLettersTold: number;
}

/** All is well, and nothing was told. */
export const WELL: AlertState = { backlogTold: false, deadLetters: 0, deadLettersTold: 0 };

export interface AlertStep {
  readonly state: AlertState;
  /** What to send now, in this order. */
  readonly notices: readonly AlertNotice[];
}

/**
 * Takes one observation. From the first notice until all is well again, a backlog is told once, and
 * dead letters whenever there are more of them than at the observation before; then recovery is
 * told once. A backlog that was told is over when the oldest work has waited for less than half of
 * the threshold.
 * @param thresholdSeconds above zero
 */
export function observe(
  before: AlertState,
  { oldestWaitingSeconds, deadLetters }: Observation,
  thresholdSeconds: number,
): AlertStep {
  const limit = before.backlogTold ? thresholdSeconds / 2 : thresholdSeconds;
  const waitsTooLong = oldestWaitingSeconds >= limit;
  const wasTold = before.backlogTold || before.deadLettersTold > 0;
  const oldest_waiting_seconds = oldestWaitingSeconds;
  if (!waitsTooLong && deadLetters === 0) {
    const recovered: AlertNotice = { type: 'jobs.recovered', data: { oldest_waiting_seconds } };
    return { state: WELL, notices: wasTold ? [recovered] : [] };
  }
  const notices: AlertNotice[] = [];
  if (waitsTooLong && !before.backlogTold) {
    const data = { oldest_waiting_seconds, threshold_seconds: thresholdSeconds };
    notices.push({ type: 'jobs.backlog', data });
  }
  const added = Math.max(0, deadLetters - before.deadLetters);
  const told = before.deadLettersTold + added;
  if (added > 0) {
    notices.push({ type: 'jobs.dead_letters', data: { dead_letters: deadLetters, told } });
  }
  const backlogTold = before.backlogTold || waitsTooLong;
  return { state: { backlogTold, deadLetters, deadLettersTold: told }, notices };
}
