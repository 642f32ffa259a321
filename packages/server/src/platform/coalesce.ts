import type { Scope } from './scope.js';

/**
 * Has a ledger swept whenever that is asked for: one sweep of it at a time, and one more behind it
 * however often it is asked for meanwhile.
 * @param onError is told of a sweep that failed; the next one comes all the same
 */
export function coalesce(
  sweep: (scope: Scope) => Promise<void>,
  onError: (error: unknown) => void,
): (scope: Scope) => void {
  /** Ledgers under way, and whether each is due again. */
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
