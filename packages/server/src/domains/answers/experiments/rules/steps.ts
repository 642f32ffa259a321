/** Decisions that are worked through before a calculation pauses. */
export const STEP_DECISIONS = 10_000;
