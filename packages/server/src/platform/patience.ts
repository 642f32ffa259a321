/** How long to wait for a database that is busy, starting or away. */
export interface Patience {
  /** For a connection, in ms; 0 waits as long as it takes. */
  readonly connectMs: number;
  /** At the start, for a server that is away or recovering, in ms. */
  readonly awayMs: number;
  /** How often `onWait` is called, in ms. */
  readonly noticeMs: number;
  /** Called while a connection is awaited, with the ms since then, and why if that is known. */
  readonly onWait: (waitedMs: number, reason?: string) => void;
}

/** That of a service, whose callers wait: they are answered 503 and try again. */
export const QUICK: Patience = {
  ...{ connectMs: 5000, awayMs: 0, noticeMs: 5000 },
  onWait: () => undefined,
};

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
