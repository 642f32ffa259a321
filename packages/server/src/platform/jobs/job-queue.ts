import { MODES } from '@decision-ledger/contract/permissions';
import { checker } from '@decision-ledger/contract/validation';
import { type Queue as BossQueue, PgBoss } from 'pg-boss';
import { type Static, type TObject, Type } from 'typebox';
import type { Database, Queryable } from '../database.js';
import type { IdFactory } from '../ids.js';
import { redactKeys } from '../redact.js';
import { type Scope, toScope } from '../scope.js';
import { giveBackActive } from './give-back.js';
import { JOBS_SCHEMA } from './migrate-jobs.js';
import { DEAD_LETTERS, type JobData, type Queue } from './queue.js';

/** Where work for later is left, and taken up. */
export interface JobQueue {
  /**
   * Leaves a job; in a transaction it is there if and only if that commits.
   * @param key of which a queue with `once: 'key'` keeps one waiting job
   */
  send<Schema extends TObject>(
    db: Queryable,
    queue: Queue<Schema>,
    scope: Scope,
    data: Static<Schema> & JobData,
    key?: string,
  ): Promise<void>;
  /** Takes up the jobs of a queue, one at a time; a handler that rejects is tried again. */
  work<Schema extends TObject>(queue: Queue<Schema>, handler: Handler<Schema>): Promise<void>;
  /** Moves a job that was given up back into its queue. False where there is none. */
  redrive(tx: Queryable, jobId: string): Promise<boolean>;
  /** Lets the jobs under way end, within limits, and gives back those that do not. */
  stop(): Promise<void>;
}

/** Idempotent: a job may be handed out again although it was done, when a process dies. */
export type Handler<Schema extends TObject> = (
  scope: Scope,
  data: Static<Schema>,
  signal: AbortSignal,
) => Promise<void>;

export interface JobQueueOptions {
  readonly db: Database;
  readonly ids: IdFactory;
  readonly queues: readonly Queue[];
  readonly engine: 'embedded' | 'postgres';
  /** Takes up jobs, and looks after those that other processes dropped. */
  readonly isWorker: boolean;
  readonly onError: (error: Error) => void;
}

const YEAR = 365 * 24 * 3600;
/** A worker that says nothing for so long (s) is taken for dead, and its job for dropped. */
const HEARTBEAT = 15;
const POLL_SECONDS = 1;
const STOP_MS = 20_000;

export async function openJobQueue(options: JobQueueOptions): Promise<JobQueue> {
  const { db, ids, queues, engine, isWorker, onError } = options;
  const boss = new PgBoss({
    db: asBossDatabase(db),
    schema: JOBS_SCHEMA,
    backend: engine === 'embedded' ? 'pglite' : 'postgres',
    migrate: false,
    schedule: false,
    supervise: isWorker,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  await boss.start();
  await makeQueues(boss, queues);
  // Nobody else works on the embedded engine: what is in hand there was dropped.
  if (isWorker && engine === 'embedded') await giveBackActive(db);
  return {
    async send(target, queue, scope, data, key) {
      await boss.send(
        queue.name,
        { org_id: scope.orgId, ledger_id: scope.ledgerId, mode: scope.mode, ...data },
        {
          id: ids.uuid(),
          db: asBossDatabase(target),
          ...(key !== undefined && { singletonKey: `${scope.ledgerId} ${key}` }),
        },
      );
    },
    async work(queue, handler) {
      const read = checker(queue.data, 'job');
      let worker = '';
      worker = await boss.work(
        queue.name,
        { pollingIntervalSeconds: POLL_SECONDS },
        async (jobs) => {
          // Where there was a job there may be another: only an empty queue is worth a pause.
          boss.notifyWorker(worker);
          for (const { data, signal } of jobs) {
            const scope = toScope(checkScope(data));
            await handler(scope, read(data), signal).catch((error: unknown) => {
              throw keepable(error);
            });
          }
        },
      );
    },
    redrive: async (tx, jobId) =>
      (await boss.redrive(DEAD_LETTERS, { ids: [jobId], db: asBossDatabase(tx) })) === 1,
    stop: () => boss.stop({ graceful: true, timeout: STOP_MS }),
  };
}

const checkScope = checker(
  Type.Object({ org_id: Type.String(), ledger_id: Type.String(), mode: Type.Enum([...MODES]) }),
  'job',
);

/** Characters that are kept of an error: as much as a person reads. */
const LONGEST_MESSAGE = 2000;

/** pg-boss keeps an error with all that hangs on it: it gets the message alone. */
function keepable(error: unknown): Error {
  const message = redactKeys(error instanceof Error ? error.message : String(error));
  return new Error(message.slice(0, LONGEST_MESSAGE));
}

/** pg-boss speaks through the connections of the service, or through a transaction of its caller. */
function asBossDatabase(db: Queryable | Database) {
  return {
    async executeSql(text: string, values: unknown[] = []): Promise<{ rows: object[] }> {
      const rows =
        values.length === 0 && 'script' in db
          ? await db.script(text)
          : await db.query({ text, values });
      return { rows };
    },
  };
}

/** Queues are rows: what a release changes of them takes effect at its start. */
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
  // pg-boss has read it at its start.
  else return;
  // Asking for a job makes pg-boss know the queue, which it must not find out inside a transaction:
  // the embedded engine has no second connection to ask on.
  await boss.findJobs(name, { id: NO_JOB });
}

const NO_JOB = '00000000-0000-0000-0000-000000000000';

function differs(existing: object, settings: object): boolean {
  return Object.entries(settings).some(([name, value]) => Reflect.get(existing, name) !== value);
}
