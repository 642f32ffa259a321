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
