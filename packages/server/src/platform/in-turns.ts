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

/** Tells a loop when other requests should be served before it goes on. */
class Turn {
  #started = performance.now();

  isDue(): boolean {
    return performance.now() - this.#started >= TURN_MS;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#started = performance.now();
  }
}

/** Maps items that may be large, and serves other requests in between. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  change: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const turn = new Turn();
  const results: Result[] = [];
  for (const item of items) {
    if (turn.isDue()) await turn.next();
    results.push(change(item, results.length));
  }
  return results;
}
