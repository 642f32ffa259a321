import type { Scope } from './principal.js';

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

/** A function that is called at once, and then for each topic at most once in an interval. */
export interface Spaced {
  readonly call: (topic: string) => void;
  /** Drops what is pending, and later calls. */
  readonly stop: () => void;
}

/** @param intervalMs between two calls for one topic; calls in between are made once, at its end */
export function spaced(work: (topic: string) => void, intervalMs: number): Spaced {
  const pauses = new Map<string, { readonly timer: NodeJS.Timeout; isPending: boolean }>();
  let isStopped = false;
  const call = (topic: string): void => {
    if (isStopped) return;
    const pause = pauses.get(topic);
    if (pause !== undefined) {
      pause.isPending = true;
      return;
    }
    const timer = setTimeout(() => {
      const isPending = pauses.get(topic)?.isPending === true;
      pauses.delete(topic);
      if (isPending) call(topic);
    }, intervalMs);
    pauses.set(topic, { timer: timer.unref(), isPending: false });
    work(topic);
  };
  return {
    call,
    stop() {
      isStopped = true;
      for (const { timer } of pauses.values()) clearTimeout(timer);
      pauses.clear();
    },
  };
}
