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

const DAY = 86_400_000;

/**
 * The last time (ms) at which a daily run was due.
 * @param now ms
 * @param at time of day (UTC) of the run, in ms
 */
export function lastDueTime(now: number, at: number): number {
  return Math.floor((now - at) / DAY) * DAY + at;
}

/** The day (UTC, `2026-04-16`) of that time. */
export function lastDueDay(now: number, at: number): string {
  return new Date(lastDueTime(now, at)).toISOString().slice(0, 10);
}

/** A task that runs repeatedly, one run at a time. */
export interface Ticker {
  /** Stops after the current run. */
  stop(): Promise<void>;
}

/**
 * Runs `task` immediately, and again `everyMs` after the end of each run.
 * @param onError called with the error of a failed run; later runs still happen
 */
export function startTicker(
  everyMs: number,
  task: () => Promise<void>,
  onError: (error: unknown) => void,
): Ticker {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void>;
  const run = () => {
    running = task()
      .catch(onError)
      .then(() => {
        if (!isStopped) timer = setTimeout(run, everyMs);
      });
  };
  run();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
