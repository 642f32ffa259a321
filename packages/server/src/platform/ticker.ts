/** Something done again and again, one run at a time. */
export interface Ticker {
  /** Waits for the run under way. */
  stop(): Promise<void>;
}

/**
 * Runs `task` at once and then `everyMs` after the end of the run before.
 * @param onError is told of a run that failed; the next one comes all the same
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
