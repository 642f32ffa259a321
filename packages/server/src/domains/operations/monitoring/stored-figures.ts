import type { Stopwatch } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database.js';
import type { Follower } from '../../../platform/followers/follower.js';
import { sumLags } from '../../../platform/followers/progress.js';
import type { Installation } from '../../../platform/statement.js';
import type { StoredFigures } from '../../../platform/stored-metrics.js';
import {
  countKeptExports,
  selectQueueDepths,
  sumChainHeads,
  sumReconciliations,
} from './store/counts.js';

export interface StoredFiguresOptions {
  readonly db: Database;
  readonly installation: Installation;
  readonly stopwatch: Stopwatch;
  readonly queueNames: readonly string[];
  readonly followers: readonly Follower[];
  /** The queues of the exports. */
  readonly exportQueues: readonly string[];
  /** Called with each set of figures that was read. */
  readonly onFigures: (figures: StoredFigures) => void;
  /** Called if the figures cannot be read; the previous ones stay. */
  readonly onError: (error: unknown) => void;
}

/** Figures are read at most once in this time (ms), however often they are requested. */
const KEPT_MS = 10_000;
/** Maximum wait (ms) of a scrape for a busy database; after that it reports the previous figures. */
const TIMEOUT_MS = 250;
/** Highest count of each kind. */
const MAX_COUNT = 100_000;

/** @returns a function that refreshes the figures and resolves within TIMEOUT_MS */
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
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, TIMEOUT_MS);
    });
    await Promise.race([reading, timeout]);
    clearTimeout(timer);
  };
}

/** The statements run in sequence, so that a scrape uses one connection. */
async function readFigures(options: StoredFiguresOptions): Promise<StoredFigures> {
  const { db, installation, queueNames, exportQueues } = options;
  const queues = await selectQueueDepths(db, queueNames, MAX_COUNT);
  const making = queues.filter(({ queue }) => exportQueues.includes(queue));
  const pending = making.reduce((sum, { waiting }) => sum + waiting, 0);
  const running = making.reduce((sum, { active }) => sum + active, 0);
  const complete = await countKeptExports(installation, MAX_COUNT);
  return {
    queues,
    exports: { pending, running, complete },
    chains: await sumChainHeads(installation),
    reconciliations: await sumReconciliations(installation),
    followers: await sumLags(installation, options.followers, db.context.clock.now()),
  };
}
