/** The source of the current time. Code that needs the time takes a `Clock`. */
export interface Clock {
  /** Whole milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

/** Monotonic milliseconds since an arbitrary moment, for measuring durations. */
export type Stopwatch = () => number;

/** The system's wall clock. */
export const systemClock: Clock = { now: () => Date.now() };

export const systemStopwatch: Stopwatch = () => performance.now();
