/** Where the service learns the time. Everything that needs it takes a `Clock`. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, whole. */
  now(): number;
}

/** Milliseconds since some moment: for how long something took or may take, as it never goes back. */
export type Stopwatch = () => number;

/** The system's wall clock. */
export const systemClock: Clock = { now: () => Date.now() };

export const systemStopwatch: Stopwatch = () => performance.now();
