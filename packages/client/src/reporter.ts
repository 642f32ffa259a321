import type { Account } from './account.js';
import type { LedgerProblem, ProblemKind } from './errors.js';

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
