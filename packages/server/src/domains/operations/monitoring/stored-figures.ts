import type { Stopwatch } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { StoredFigures } from '../../../platform/stored-metrics.js';
import { countKeptExports, selectQueueDepths, sumChainHeads } from './store/counts.js';

export interface StoredFiguresOptions {
  readonly db: Database;
  readonly stopwatch: Stopwatch;
  readonly queueNames: readonly string[];
  /** The one in which exports wait and are made. */
  readonly exportQueue: string;
  /** Told of each set of figures that was read. */
  readonly onFigures: (figures: StoredFigures) => void;
  /** The figures could not be read: those of before stay. */
  readonly onError: (error: unknown) => void;
}

/** For so long (ms) nothing is read again, however often figures are asked for. */
const KEPT_MS = 10_000;
/** A scrape waits no longer (ms) for a database that is busy: it shows the figures of before. */
const PATIENCE_MS = 250;
/** What is counted of one kind. */
const MOST = 100_000;

/** @returns brings the figures of the database up to date, within a time that is always short */
export function storedFigures(options: StoredFiguresOptions): () => Promise<void> {
  const { stopwatch, onFigures, onError } = options;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      onFigures(await readFigures(options));
    } catch (error) {
      onError(error);
    } finally {
      readAt = stopwatch();
      reading = null;
    }
  }

  return async () => {
    if (reading === null && stopwatch() - readAt < KEPT_MS) return;
    reading ??= read();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS);
    });
    await Promise.race([reading, patience]);
    clearTimeout(timer);
  };
}

/** One statement after the other: a scrape takes one connection at a time. */
async function readFigures(options: StoredFiguresOptions): Promise<StoredFigures> {
  const { db, queueNames, exportQueue } = options;
  const queues = await selectQueueDepths(db, queueNames, MOST);
  const { waiting = 0, active = 0 } = queues.find(({ queue }) => queue === exportQueue) ?? {};
  const complete = await countKeptExports(db, MOST);
  return {
    ...{ queues, exports: { pending: waiting, running: active, complete } },
    chains: await sumChainHeads(db),
  };
}
