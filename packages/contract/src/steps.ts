/** A long calculation in parts: the caller can do other work between two of them. */
export type Steps<Result> = Generator<undefined, Result>;

/**
 * Runs a calculation without a pause.
 *
 * @example
 * ```ts
 * import { finish } from '@decision-ledger/contract/steps';
 *
 * function* double(value: number) {
 *   yield;
 *   return 2 * value;
 * }
 * finish(double(21)); // => 42
 * ```
 */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
