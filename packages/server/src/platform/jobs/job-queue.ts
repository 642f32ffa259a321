import { MODES } from '@decision-ledger/contract/permissions';
import { checker } from '@decision-ledger/contract/validation';
import { type Queue as BossQueue, PgBoss } from 'pg-boss';
import { type Static, type TObject, Type } from 'typebox';
import { spaced } from '../coalesce.js';
import { type DatabaseAddress, namesOf } from '../connection.js';
import type { Database } from '../database.js';
import { jobsSchema } from '../database-names.js';
import type { IdFactory } from '../ids.js';
import type { Ledger, LedgerWriter } from '../ledger.js';
import type { Notifications } from '../notifications.js';
import { toScope } from '../principal.js';
import { redactKeys } from '../secrets.js';
import type { Queryable } from '../statement.js';
import {
  DEAD_LETTERS,
  giveBackActive,
  hasWaiting,
  isInTheWay,
  type JobData,
  type Move,
  type Queue,
  selectTurn,
  updateDeadTurn,
} from './stored-jobs.js';

/** A queue of background jobs. */
export interface JobQueue {
  /**
   * Adds a job; in a transaction, the job exists if and only if the transaction commits.
   * @param key a queue with `once: 'key'` keeps one waiting job per key
   */
  send<Schema extends TObject>(
    ledger: Ledger | LedgerWriter,
    queue: Queue<Schema>,
    data: Static<Schema> & JobData,
    key?: string,
  ): Promise<void>;
  /** Processes the jobs of a queue, one in each of its lanes; a job whose handler rejects is retried. */
  work<Schema extends TObject>(queue: Queue<Schema>, handler: Handler<Schema>): Promise<void>;
  /**
   * Whether a running job should move to another queue: none of its queue has run longer, an organisation without a running
   * job there has waited for so long, in ms, and no other job moved within that time.
   */
  isInTheWay(ledger: Ledger, move: Move, ms: number): Promise<boolean>;
  /** Whether jobs of the organisation of a ledger wait in a queue. */
  hasWaiting(ledger: Ledger, queue: Queue): Promise<boolean>;
  /** Moves a dead job back to its queue. Returns false if there is no such job. */
  redrive(tx: Queryable, jobId: string): Promise<boolean>;
  /** Waits for running jobs up to a time limit and requeues the others. */
  stop(): Promise<void>;
}

/** Must be idempotent: after a crash a finished job may run again. */
export type Handler<Schema extends TObject> = (
  ledger: Ledger,
  data: Static<Schema>,
  signal: AbortSignal,
) => Promise<void>;

export interface JobQueueOptions {
  readonly db: Database;
  readonly ids: IdFactory;
  readonly notifications: Notifications;
  readonly queues: readonly Queue[];
  readonly address: DatabaseAddress;
  /** Whether to process jobs and to supervise those of dead processes. */
  readonly isWorker: boolean;
  /** The longest wait (s) for a job whose notification is lost, and for a retry, which has none. */
  readonly pollSeconds?: number;
  readonly onError: (error: Error) => void;
}

const YEAR = 365 * 24 * 3600;
/** A worker without a heartbeat for this long (s) is considered dead, and its job abandoned. */
const HEARTBEAT = 15;
const POLL_SECONDS = 1;
/**
 * A worker skips the keys of jobs that were active when the queues were read last, so a job whose
 * predecessor has just ended waits that long (pg-boss: 60).
 */
const CACHE_SECONDS = 1;
/** Steady writes start the jobs that follow them this often at most, so that one job handles many. */
const WAKE_MS = 100;
const STOP_MS = 20_000;

export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { db, ids, notifications, queues, address, isWorker, onError } = options;
  const pollingIntervalSeconds = options.pollSeconds ?? POLL_SECONDS;
  const boss = new PgBoss({
    db: asBossDatabase(db),
    schema: jobsSchema(namesOf(address)),
    backend: address.kind === 'embedded' ? 'pglite' : 'postgres',
    migrate: false,
    schedule: false,
    supervise: isWorker,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    queueCacheIntervalSeconds: CACHE_SECONDS,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  await boss.start();
  await makeQueues(boss, queues);
  // No other process works on the embedded engine, so active jobs there were abandoned.
  if (isWorker && address.kind === 'embedded') await giveBackActive(db);
  /** The ids of the workers by queue: one in each lane. */
  const workers = new Map<string, string[]>();
  const notify = (queue: string) => {
    for (const worker of workers.get(queue) ?? []) boss.notifyWorker(worker);
  };
  const wakes = spaced(notify, WAKE_MS);
  // Ledgers with new data are topics, too.
  const wake = (topic: string) => {
    if (workers.has(topic)) wakes.call(topic);
  };
  const stopListening = isWorker ? notifications.listen(wake) : () => undefined;
  return {
    async send(ledger, queue, data, key) {
      const { connection, scope } = ledger;
      const turn =
        queue.inTurn === true ? await selectTurn(connection, queue, scope.orgId) : undefined;
      await boss.send(
        queue.name,
        { org_id: scope.orgId, ledger_id: ledger.ledgerId, mode: scope.mode, ...data },
        {
          id: ids.uuid(),
          db: asBossDatabase(connection, queue.name),
          group: { id: scope.orgId },
          ...(turn !== undefined && { priority: -turn }),
          ...(key !== undefined && { singletonKey: `${ledger.ledgerId} ${key}` }),
        },
      );
    },
    async work(queue, handler) {
      const read = checker(queue.data, 'job');
      const { lanes = 1 } = queue;
      const options = {
        pollingIntervalSeconds,
        ...(lanes > 1 && { localGroupConcurrency: 1 }),
      };
      workers.set(queue.name, []);
      for (let lane = 0; lane < lanes; lane += 1) {
        const worker = await boss.work(queue.name, options, async (jobs) => {
          // After a job there may be another, so the worker polls again immediately.
          notify(queue.name);
          for (const { data, signal } of jobs) {
            const ledger = db.ledger(toScope(checkScope(data)));
            await handler(ledger, read(data), signal).catch((error: unknown) => {
              throw storableError(error);
            });
          }
        });
        workers.get(queue.name)?.push(worker);
      }
    },
    isInTheWay: (ledger, move, ms) =>
      isInTheWay(db, { ...move, data: { ...move.data, ledger_id: ledger.ledgerId } }, ms),
    hasWaiting: ({ scope }, queue) => hasWaiting(db, queue, scope.orgId),
    async redrive(tx, jobId) {
      await updateDeadTurn(tx, queues, jobId);
      return (await boss.redrive(DEAD_LETTERS, { ids: [jobId], db: asBossDatabase(tx) })) === 1;
    },
    async stop() {
      stopListening();
      wakes.stop();
      await boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

const checkScope = checker(
  Type.Object({ org_id: Type.String(), ledger_id: Type.String(), mode: Type.Enum([...MODES]) }),
  'job',
);

/** Maximum length of a stored error message. */
const MAX_MESSAGE_CHARS = 2000;

/** pg-boss stores all properties of an error, so it gets the message only. */
function storableError(error: unknown): Error {
  const message = redactKeys(error instanceof Error ? error.message : String(error));
  return new Error(message.slice(0, MAX_MESSAGE_CHARS));
}

/**
 * Runs pg-boss's statements on the service's connections or in the caller's transaction.
 * @param notifies the queue whose workers are notified after the commit
 */
function asBossDatabase(db: Queryable | Database, notifies?: string) {
  return {
    async executeSql(text: string, values: unknown[] = []): Promise<{ rows: object[] }> {
      const rows =
        values.length === 0 && 'script' in db
          ? await db.script(text)
          : await db.query({ text, values, ...(notifies !== undefined && { notifies }) });
      return { rows };
    },
  };
}

/** Queues are rows, so a release's changes to them take effect at startup. */
async function makeQueues(boss: PgBoss, queues: readonly Queue[]): Promise<void> {
  const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const make = (name: string, policy: Policy, settings: QueueSettings) =>
    makeQueue(boss, existing.get(name) ?? null, { ...settings, name, policy });
  const keep = { retentionSeconds: 10 * YEAR, deleteAfterSeconds: 0 };
  await make(DEAD_LETTERS, 'standard', keep);
  for (const queue of queues) {
    await make(queue.name, queue.once === 'key' ? 'stately' : 'standard', {
      retryLimit: queue.retries,
      retryDelay: queue.firstDelay,
      retryBackoff: true,
      retryDelayMax: queue.longestDelay,
      expireInSeconds: queue.timeout,
      heartbeatSeconds: HEARTBEAT,
      retentionSeconds: 10 * YEAR,
      deadLetter: DEAD_LETTERS,
    });
  }
}

type Policy = 'standard' | 'stately';
type QueueSettings = Omit<BossQueue, 'name' | 'policy' | 'partition'>;

async function makeQueue(
  boss: PgBoss,
  existing: object | null,
  { name, policy, ...settings }: QueueSettings & { readonly name: string; readonly policy: Policy },
): Promise<void> {
  if (existing === null) await boss.createQueue(name, { ...settings, policy });
  else if (differs(existing, settings)) await boss.updateQueue(name, settings);
  // pg-boss read it at startup.
  else return;
  // Looking for a job makes pg-boss cache the queue. It must not load the queue inside a transaction,
  // because the embedded engine has no second connection for that.
  await boss.findJobs(name, { id: NO_JOB });
}

const NO_JOB = '00000000-0000-0000-0000-000000000000';

function differs(existing: object, settings: object): boolean {
  return Object.entries(settings).some(([name, value]) => Reflect.get(existing, name) !== value);
}
