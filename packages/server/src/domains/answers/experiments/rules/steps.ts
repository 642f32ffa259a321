/** A long calculation in parts: the caller can do other work between two of them. */
export type Steps<Result> = Generator<undefined, Result>;

/** Decisions that are worked through before a calculation pauses. */
export const STEP_DECISIONS = 10_000;

/** Runs a calculation without a pause. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
