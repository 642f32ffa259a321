import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from './rules/steps.js';

/** Runs a calculation between other requests. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
