import type { DeliveryReport, LedgerProblem, ProblemKind } from './errors.js';

/** Problems kept for the error of a flush. */
const KEPT_PROBLEMS = 10;

/** A moment from which a later report counts. */
interface Mark {
  readonly accepted: number;
  readonly failed: number;
  readonly problems: number;
}

/** The state of a client. */
export interface LedgerStats extends DeliveryReport {
  /** Calls of `record` and `recordNow`. */
  readonly recorded: number;
  /** Accepted decisions that an earlier attempt had already recorded. */
  readonly replayed: number;
  /**
   * Accepted decisions whose time is in `metadata.decided_at`, because they came later than the ledger
   * accepts.
   */
  readonly late: number;
  /** Decisions whose payload was dropped. */
  readonly payloadsDropped: number;
  readonly retries: number;
  /** Decisions and bytes that wait in memory. */
  readonly queued: number;
  readonly queuedBytes: number;
  /** Undelivered bytes on disk; 0 without an outbox. */
  readonly outboxBytes: number;
  readonly isSending: boolean;
  readonly lastProblem: LedgerProblem | null;
}

/** Counts what became of decisions. */
export class Account {
  recorded = 0;
  accepted = 0;
  /** Accepted decisions that an earlier attempt had already recorded. */
  replayed = 0;
  /** Accepted decisions whose time is in the metadata, because they came too late. */
  late = 0;
  failed = 0;
  retries = 0;
  payloadsDropped = 0;
  lastProblem: LedgerProblem | null = null;
  /** Problems that lost decisions, the oldest removed beyond a limit. */
  #losses: LedgerProblem[] = [];
  #lossCount = 0;
  /** What the last finished flush reported. */
  #reported: Mark = { accepted: 0, failed: 0, problems: 0 };

  lose(problem: LedgerProblem): void {
    this.failed += problem.decisions;
    this.#lossCount += 1;
    this.#losses.push(problem);
    if (this.#losses.length > KEPT_PROBLEMS) this.#losses.shift();
  }

  /** Where a report that begins now starts: after the last finished one. */
  mark(): Mark {
    return this.#reported;
  }

  /** What happened since the mark. */
  reportSince({ accepted, failed }: Mark, pending: number): DeliveryReport {
    this.#reported = {
      accepted: this.accepted,
      failed: this.failed,
      problems: this.#lossCount,
    };
    return { accepted: this.accepted - accepted, pending, failed: this.failed - failed };
  }

  causesSince({ problems }: Mark): readonly LedgerProblem[] {
    const count = Math.min(this.#lossCount - problems, this.#losses.length);
    return count === 0 ? [] : this.#losses.slice(-count);
  }
}

/** Problems after which a decision is not in the ledger and will not be. */
const LOSSES = new Set<ProblemKind>(['refused', 'dropped', 'unreadable']);
const QUIET_MS = 60_000;

/** Passes problems to the application. It never throws. */
export function reporter(
  account: Account,
  onError: ((problem: LedgerProblem) => void) | undefined,
  now: () => number,
): (problem: LedgerProblem) => void {
  const pass = onError ?? consoleReporter(now);
  return (problem) => {
    account.lastProblem = problem;
    if (LOSSES.has(problem.kind)) account.lose(problem);
    try {
      pass(problem);
    } catch {
      // The fault of a handler must not reach the agent.
    }
  };
}

/** One line on the console for each kind of problem and minute, without payloads. */
function consoleReporter(now: () => number): (problem: LedgerProblem) => void {
  const last = new Map<ProblemKind, number>();
  return ({ kind, message }) => {
    const time = now();
    if (time - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    last.set(kind, time);
    console.error(`decision-ledger: ${kind}: ${message}`);
  };
}
