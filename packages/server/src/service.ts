import type { Config } from './config.js';
import { type SettingsReader, settingsReader } from './domains/access/settings/index.js';
import { closings } from './domains/answers/analytics/index.js';
import { EXPORT_QUEUES } from './domains/evidence/exports/index.js';
import { RECONCILIATION } from './domains/evidence/reconciliation/index.js';
import { requireServable } from './domains/evidence/restores/index.js';
import {
  checkpointFollower,
  LOG_REBUILDS,
  receiptSigner,
  requireRemembered,
  type SignedNotes,
  type SignReceipt,
  signedNotes,
} from './domains/evidence/transparency/index.js';
import {
  featureFollower,
  outcomeFollower,
  suggestionFollower,
  suggestionQuality,
} from './domains/judgement/attribution/index.js';
import {
  estimateFollower,
  type LiabilityModels,
  liabilityModels,
  RECALCULATION,
} from './domains/judgement/liability/index.js';
import { recordHooks } from './domains/judgement/record-hooks/index.js';
import { checkMasterKey, followMasterKey } from './domains/operations/master-key/index.js';
import { type GroupWriter, groupWriter } from './domains/record/decisions/index.js';
import { recounts } from './domains/record/financial-events/index.js';
import type { RecordHooks } from './domains/record/hooks/index.js';
import { movementFollower, settleAround } from './domains/record/movements/index.js';
import { ACCOUNTING_POLLS } from './domains/sources/accounting/index.js';
import { STRIPE_OBJECTS } from './domains/sources/stripe/index.js';
import type { InstallationCertificate } from './installation/issue-certificate.js';
import { type Clock, type Stopwatch, startTicker, systemStopwatch } from './platform/clock.js';
import type { Database } from './platform/database.js';
import { type DamageRecord, damageRecord } from './platform/failures.js';
import type { FilesAddress } from './platform/files/address.js';
import { openFileStore } from './platform/files/open.js';
import type { FileStore } from './platform/files/store.js';
import type { Follower } from './platform/followers/follower.js';
import type { IdFactory } from './platform/ids.js';
import { type JobQueue, openJobQueue } from './platform/jobs/job-queue.js';
import type { Keyring } from './platform/keyring/keyring.js';
import { createMetrics, type Metrics } from './platform/metrics.js';
import { createOutbound, type Outbound } from './platform/outbound.js';
import type { RandomPool } from './platform/random.js';
import { openReads, type Reads } from './platform/replica.js';
import type { Installation } from './platform/statement.js';
import {
  explainDamage,
  openStorage,
  placeOf,
  type Storage,
  type StorageOptions,
} from './storage.js';

/** The platform and the domains, composed for HTTP and the command line. */
export interface Service {
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly ids: IdFactory;
  readonly random: RandomPool;
  readonly db: Database;
  readonly storage: Storage;
  /** What answers of the database reported as damaged. */
  readonly damage: DamageRecord;
  /** Access to all ledgers, for what is of the whole installation. */
  readonly installation: Installation;
  readonly certificate: InstallationCertificate;
  readonly keyring: Keyring;
  /** Whether a rotation of the master key was unfinished when the service was opened. */
  readonly isKeyChanging: boolean;
  readonly models: LiabilityModels;
  /** What follows a change of the record in its transaction. */
  readonly hooks: RecordHooks;
  readonly settings: SettingsReader;
  /** Where analytics and searches are read. */
  readonly reads: Reads;
  readonly writer: GroupWriter;
  /** Signs receipts with the key of the log of the decisions. */
  readonly signReceipt: SignReceipt;
  /** The last checkpoints that this machine signed. */
  readonly signedNotes: SignedNotes;
  readonly metrics: Metrics;
  readonly jobs: JobQueue;
  /** What follows the logs of every ledger. */
  readonly followers: readonly Follower[];
  /** Names of all job queues. */
  readonly queueNames: readonly string[];
  /** Names of those whose jobs bring records. */
  readonly inboxQueues: readonly string[];
  /** Calls URLs configured by tenants. */
  readonly outbound: Outbound;
  /** The store of finished exports. */
  readonly files: FileStore;
  readonly filesAddress: FilesAddress;
  /** Absolute path of the working folder of exports. */
  readonly workDir: string;
  /** Flushes pending writes, then closes the database. */
  close(): Promise<void>;
}

export interface ServiceOptions extends StorageOptions {
  readonly stopwatch?: Stopwatch;
  /** Whether this process runs background jobs; any process may enqueue them. */
  readonly isWorker?: boolean;
}

/** How often a process with two master keys checks which one is current, in ms. */
const FOLLOW_KEY_MS = 5000;

/** The queues between what was accepted and what is recorded. */
const INBOX = [STRIPE_OBJECTS, ACCOUNTING_POLLS];

const QUEUES = [...INBOX, RECALCULATION, ...EXPORT_QUEUES, RECONCILIATION, LOG_REBUILDS];

export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  try {
    return await openOwn(config, options);
  } catch (error) {
    throw explainDamage(config, error);
  }
}

async function openOwn(config: Config, options: ServiceOptions): Promise<Service> {
  const damage = damageRecord(options.onDamage ?? (() => undefined));
  const onDamage = (place: string) => damage.add(placeOf(config, place));
  const storage = await openStorage(config, { ...options, onDamage });
  try {
    return { ...(await openOn(storage, config, options)), damage };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function openOn(
  storage: Storage,
  config: Config,
  options: ServiceOptions,
): Promise<Omit<Service, 'damage'>> {
  const { stopwatch = systemStopwatch } = options;
  const metrics = createMetrics();
  const { db, keyring, installation, certificate } = storage;
  const { clock, ids, random } = db.context;
  metrics.watchPool(db.pool);
  const notes = signedNotes(config.signedDir);
  if (options.opensUnaccepted !== true) {
    await requireServable(installation);
    await requireRemembered(storage, notes);
  }
  const key = options.needsKey === false ? null : await openKeyring(storage, options);
  const files = await openFileStore(config.files);
  const models = liabilityModels(db, clock);
  const hooks = recordHooks({ models, settle: settleAround });
  const settings = settingsReader(db, clock);
  const writer = groupWriter({
    db,
    estimates: hooks.estimates,
    settings,
    stopwatch: () => performance.now() / 1000,
    onGroup: metrics.observeGroup,
  });
  const jobs = await openJobQueue({
    db,
    ids,
    notifications: storage.notifications,
    queues: QUEUES,
    address: storage.address,
    isWorker: options.isWorker ?? false,
    onError: options.onConnectionError,
  });
  const reads = openReads({
    ...{ address: storage.address, context: db.context, stopwatch },
    ...{ maxConnections: db.pool().max, onOutcome: metrics.countReplicaRead },
  });
  return {
    clock,
    stopwatch,
    ids,
    random,
    db,
    storage,
    installation,
    certificate,
    keyring,
    models,
    hooks,
    settings,
    writer,
    metrics,
    jobs,
    followers: followersOf(hooks, checkpointFollower({ keyring, signedNotes: notes })),
    files,
    filesAddress: config.files,
    workDir: config.workDir,
    outbound: createOutbound(config.allowedAddresses),
    reads,
    queueNames: QUEUES.map(({ name }) => name),
    inboxQueues: INBOX.map(({ name }) => name),
    signedNotes: notes,
    signReceipt: receiptSigner(db, { keyring }),
    isKeyChanging: key?.isChanging ?? false,
    async close() {
      await writer.drain();
      await jobs.stop();
      await key?.stop();
      await files.close();
      await reads.close();
      await storage.close();
    },
  };
}

/** What follows the logs, all of it derived but the checkpoints. */
function followersOf(hooks: RecordHooks, checkpoints: Follower): Follower[] {
  return [
    recounts(hooks),
    movementFollower(hooks),
    featureFollower,
    outcomeFollower,
    suggestionFollower(hooks),
    suggestionQuality,
    estimateFollower,
    closings,
    checkpoints,
  ];
}

/** Checks the keys against the database, completes a finished rotation and follows a running one. */
async function openKeyring(
  { db, keyring, replaceKey }: Storage,
  { onConnectionError }: ServiceOptions,
) {
  const { key_id, previous_key_id } = await checkMasterKey(db, keyring);
  const isChanging = previous_key_id !== null;
  if (!isChanging && key_id === keyring.keys[0]?.id) replaceKey();
  const follow = () => followMasterKey(db, keyring);
  const ticker =
    keyring.keys.length === 1
      ? null
      : startTicker(FOLLOW_KEY_MS, follow, (error) =>
          onConnectionError(error instanceof Error ? error : new Error(String(error))),
        );
  return { isChanging, stop: () => ticker?.stop() };
}
