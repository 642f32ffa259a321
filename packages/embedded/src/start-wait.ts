/** What a start of the engine is doing. */
export interface StartWait {
  /** Such as "recovering": after a crash, what is in the log is written to the tables. */
  readonly work: string;
  /** Time since the start, in ms. */
  readonly waitedMs: number;
  /** Time since the engine last read or wrote a file, in ms. */
  readonly idleMs: number;
}

export type OnStartWait = (wait: StartWait) => void;

interface Start {
  readonly work: string;
  /** Changes with each file operation of the engine. */
  readonly operations: SharedArrayBuffer;
  readonly onWait: OnStartWait | undefined;
}

const NOTICE_MS = 4000;

/** Reports while the engine starts. */
export async function reportingStart<Result>(
  { work, operations, onWait }: Start,
  start: () => Promise<Result>,
): Promise<Result> {
  if (onWait === undefined) return start();
  const count = new Uint32Array(operations);
  let [waitedMs, idleMs, last] = [0, 0, 0];
  const notice = setInterval(() => {
    const now = Atomics.load(count, 0);
    waitedMs += NOTICE_MS;
    idleMs = now === last ? idleMs + NOTICE_MS : 0;
    last = now;
    onWait({ work, waitedMs, idleMs });
  }, NOTICE_MS);
  try {
    return await start();
  } finally {
    clearInterval(notice);
  }
}
