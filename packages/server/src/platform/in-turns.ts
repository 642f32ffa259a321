import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Longest work between two turns of the event loop, in ms. A step may take longer. */
const TURN_MS = 4;

/**
 * Runs a calculation to its end, step by step, for at most half of the time, so that no request waits for it.
 * @throws whatever a step throws
 */
export async function inTurns<Result>(steps: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    const started = performance.now();
    while (performance.now() - started < TURN_MS) {
      const step = steps.next();
      if (step.done === true) return step.value;
    }
    await nextTurn();
    await sleep(TURN_MS, undefined, { ref: false });
  }
}
