/** How long to wait for a connection to a database that is busy. */
export interface Patience {
  /** ms. */
  readonly connectMs: number;
  /** How often `onWait` is called, in ms. */
  readonly noticeMs: number;
  /** Called while a connection is awaited, with the ms since then. */
  readonly onWait: (waitedMs: number) => void;
}

/** That of a service, whose callers wait: they are answered 503 and try again. */
export const QUICK: Patience = { connectMs: 5000, noticeMs: 5000, onWait: () => undefined };

/** Reports while work waits for a connection. */
export async function reportingWait<Result>(
  { noticeMs, onWait }: Patience,
  connect: () => Promise<Result>,
): Promise<Result> {
  let waited = 0;
  const notice = setInterval(() => {
    waited += noticeMs;
    onWait(waited);
  }, noticeMs);
  try {
    return await connect();
  } finally {
    clearInterval(notice);
  }
}
