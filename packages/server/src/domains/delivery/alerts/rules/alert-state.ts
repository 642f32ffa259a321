import type { AlertNotice } from '@decision-ledger/contract/alert';

/** State of the background work of one ledger. */
export interface Backlog {
  /** Zero if no job is waiting. */
  readonly oldestWaitingSeconds: number;
  readonly deadLetters: number;
}

/** Alerts made since the last recovery; a JSON value, stored until the next observation. */
export interface AlertState {
  readonly backlogTold: boolean;
  /** Number of dead letters at the last observation, 0 before the first. */
  readonly deadLetters: number;
  /** Number of dead letters reported, including those that are gone. */
  readonly deadLettersTold: number;
}

/** Nothing is wrong, and nothing was reported. */
export const WELL: AlertState = { backlogTold: false, deadLetters: 0, deadLettersTold: 0 };

export interface AlertStep {
  readonly state: AlertState;
  /** Alerts to send now, in this order. */
  readonly notices: readonly AlertNotice[];
}

/**
 * Processes one observation. A backlog is reported once until recovery. Dead letters are reported
 * whenever there are more than at the previous observation. Recovery is reported once. A reported
 * backlog ends when the oldest job has waited for less than half of the threshold.
 * @param thresholdSeconds above zero
 */
export function nextAlertState(
  before: AlertState,
  { oldestWaitingSeconds, deadLetters }: Backlog,
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
