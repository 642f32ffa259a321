/** Where the service learns the time. Everything that needs it takes a `Clock`. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, whole. */
  now(): number;
}

/** The system's wall clock. */
export const systemClock: Clock = { now: () => Date.now() };
