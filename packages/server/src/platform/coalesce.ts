import type { Scope } from './scope.js';

/**
 * Coalesces calls per ledger: at most one run and one pending run.
 * @param onError called with the error of a failed run; a pending run still starts
 */
export function coalesce(
  sweep: (scope: Scope) => Promise<void>,
  onError: (error: unknown) => void,
): (scope: Scope) => void {
  /** Ledgers with a run, and whether another run is pending. */
  const isDue = new Map<string, boolean>();

  async function run(scope: Scope): Promise<void> {
    do {
      isDue.set(scope.ledgerId, false);
      await sweep(scope).catch(onError);
    } while (isDue.get(scope.ledgerId) === true);
    isDue.delete(scope.ledgerId);
  }

  return (scope) => {
    if (isDue.has(scope.ledgerId)) isDue.set(scope.ledgerId, true);
    else void run(scope);
  };
}
