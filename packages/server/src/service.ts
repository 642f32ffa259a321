import type { Config } from './config.js';
import { ACCOUNTING_POLLS } from './domains/accounting/index.js';
import { activityRecorder, type RecordActivity } from './domains/activity/index.js';
import { CORRELATION } from './domains/attribution/index.js';
import { type GroupWriter, groupWriter } from './domains/decisions/index.js';
import { EXPORTS } from './domains/exports/index.js';
import type { KeyTools } from './domains/keys/index.js';
import { type LiabilityModels, liabilityModels, RECALCULATION } from './domains/liability/index.js';
import { STRIPE_OBJECTS } from './domains/stripe/index.js';
import { type Clock, type Stopwatch, systemClock, systemStopwatch } from './platform/clock.js';
import type { Database } from './platform/database.js';
import type { FilesAddress } from './platform/files/address.js';
import { openFileStore } from './platform/files/open.js';
import type { FileStore } from './platform/files/store.js';
import { createIdFactory, type IdFactory } from './platform/ids.js';
import { type JobBoard, openJobBoard } from './platform/jobs/board.js';
import { createMetrics, type Metrics } from './platform/metrics.js';
import { createOutbound, type Outbound } from './platform/outbound.js';
import { createRandomPool, type RandomPool } from './platform/random.js';
import { openStorage, type Storage, type StorageOptions } from './storage.js';

/** Platform and rooms put together: what HTTP and the command line both stand on. */
export interface Service extends KeyTools {
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly ids: IdFactory;
  readonly random: RandomPool;
  readonly recordActivity: RecordActivity;
  readonly db: Database;
  readonly storage: Storage;
  readonly masterKey: Buffer;
  readonly models: LiabilityModels;
  readonly writer: GroupWriter;
  readonly metrics: Metrics;
  readonly jobs: JobBoard;
  /** Names of all queues of jobs. */
  readonly queueNames: readonly string[];
  /** Calls what tenants configured. */
  readonly outbound: Outbound;
  /** Where finished exports are. */
  readonly files: FileStore;
  readonly filesAddress: FilesAddress;
  /** Absolute path of the folder in which exports are made. */
  readonly workDir: string;
  /** Writes what still waits, then lets go of the database. */
  close(): Promise<void>;
}

export interface ServiceOptions extends StorageOptions {
  readonly clock?: Clock;
  readonly stopwatch?: Stopwatch;
  /** Whether this process does background work; any may leave some. */
  readonly isWorker?: boolean;
}

const QUEUES = [CORRELATION, STRIPE_OBJECTS, ACCOUNTING_POLLS, RECALCULATION, EXPORTS];

export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  const { clock = systemClock, stopwatch = systemStopwatch } = options;
  const ids = createIdFactory({ clock });
  const random = createRandomPool();
  const metrics = createMetrics();
  const storage = await openStorage(config, options);
  const { db, masterKey } = storage;
  metrics.watchPool(db.pool);
  const files = await openFileStore(config.files);
  const models = liabilityModels(db, clock);
  const writer = groupWriter({
    ...{ db, models },
    stopwatch: () => performance.now() / 1000,
    onGroup: metrics.observeGroup,
  });
  const jobs = await openJobBoard({
    ...{ db, ids, queues: QUEUES, engine: storage.address.kind },
    isWorker: options.isWorker ?? false,
    onError: options.onConnectionError,
  }).catch(async (error: unknown) => {
    await storage.close();
    throw error;
  });
  return {
    ...{ clock, stopwatch, ids, random, db, storage, masterKey, models, writer, metrics, jobs },
    ...{ files, filesAddress: config.files, workDir: config.workDir },
    outbound: createOutbound(config.allowedAddresses),
    queueNames: QUEUES.map(({ name }) => name),
    recordActivity: activityRecorder({ ids, random }),
    async close() {
      await writer.drain();
      await jobs.stop();
      await files.close();
      await storage.close();
    },
  };
}
