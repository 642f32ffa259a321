import type { Logger } from 'pino';
import { watchLedgers } from './domains/delivery/alerts/index.js';
import { expireExports } from './domains/evidence/exports/index.js';
import { exportJobs, type MakeExport } from './domains/evidence/exports/jobs.js';
import {
  type ReconciliationThread,
  reconciliationJobs,
  requestDueReconciliations,
} from './domains/evidence/reconciliation/index.js';
import {
  requestDueRebuilds,
  signLastRounds,
  transparencyJobs,
} from './domains/evidence/transparency/index.js';
import { requestDueRuns } from './domains/judgement/liability/index.js';
import { liabilityJobs } from './domains/judgement/liability/jobs.js';
import { pruneAnnouncements } from './domains/log/announcements/index.js';
import { expireUploads } from './domains/record/uploads/index.js';
import { accountingJobs, requestDuePolls } from './domains/sources/accounting/index.js';
import { pruneSpanGroups } from './domains/sources/otlp/index.js';
import { stripeJobs } from './domains/sources/stripe/index.js';
import { exportMakerOf } from './export-thread/make-in-thread.js';
import { startTicker, type Ticker } from './platform/clock.js';
import { withoutReplica } from './platform/connection.js';
import { DamagedError, reasonOf } from './platform/failures.js';
import { type Pace, startFollowing } from './platform/followers/runner.js';
import type { JobQueue } from './platform/jobs/job-queue.js';
import type { Service } from './service.js';
import { verificationPool } from './verification/verification-pool.js';

const DUE_MS = 5_000;
const NIGHTLY_MS = 30_000;
const PRUNE_MS = 3_600_000;
const EXPIRE_MS = 3_600_000;
const WATCH_MS = 15_000;
/** While one organisation waits for the server, the other one computes. The embedded engine has the default. */
const SERVER_PACE: Pace = { atOnce: 2, stepMs: 250 };

/** Processes jobs and periodically looks for work that is due. */
export async function startWorker(service: Service, log: Logger): Promise<Ticker> {
  const { jobs } = service;
  const onFailure = reporter(log, 'an export failed');
  const onRestart = reporter(log, 'an export starts again');
  const makeExport = exportMakerOf(service, { onFailure, onRestart });
  const reconciliationThread = verificationPool(withoutReplica(service.storage.address));
  await handleJobs(jobs, { ...service, makeExport, reconciliationThread });
  const tickers = periodicWork(service).map(({ every, work, failure }) =>
    startTicker(every, work, reporter(log, failure)),
  );
  const followers = startFollowing(
    {
      ...service,
      ...(service.storage.address.kind === 'postgres' && { pace: SERVER_PACE }),
      onError: reporter(log, 'a follower of the logs failed'),
    },
    service.storage.notifications,
  );
  return {
    async stop() {
      await Promise.all([...tickers, followers].map((part) => part.stop()));
      await reconciliationThread.close();
      await signLastRounds(service).catch(reporter(log, 'the last checkpoints were not signed'));
    },
  };
}

export interface JobTools extends Service {
  readonly makeExport: MakeExport;
  readonly reconciliationThread: ReconciliationThread;
}

/** Handles the jobs of every queue. */
export async function handleJobs(jobs: JobQueue, tools: JobTools): Promise<void> {
  await stripeJobs(jobs, tools);
  await accountingJobs(jobs, tools);
  await liabilityJobs(jobs, tools);
  await transparencyJobs(jobs);
  await exportJobs(jobs, tools.makeExport);
  await reconciliationJobs(jobs, tools);
}

interface Periodic {
  /** ms. */
  readonly every: number;
  readonly work: () => Promise<void>;
  /** What a failure is reported as. */
  readonly failure: string;
}

/** Looks for work that is due, and does it or requests a job for it. */
export function periodicWork(service: Service): readonly Periodic[] {
  return [
    {
      every: DUE_MS,
      work: () => requestDuePolls(service),
      failure: 'the search for due accounting polls failed',
    },
    {
      every: NIGHTLY_MS,
      work: () => requestDueRuns(service),
      failure: 'the search for due nightly runs failed',
    },
    {
      every: NIGHTLY_MS,
      work: () => requestDueReconciliations(service),
      failure: 'the search for tables to reconcile failed',
    },
    {
      every: NIGHTLY_MS,
      work: () => requestDueRebuilds(service),
      failure: 'the search for logs to rebuild failed',
    },
    {
      every: PRUNE_MS,
      work: () => pruneAnnouncements(service),
      failure: 'old announcements could not be deleted',
    },
    {
      every: PRUNE_MS,
      work: () => pruneSpanGroups(service),
      failure: 'what arrived over OTLP more than a day ago could not be deleted',
    },
    {
      every: EXPIRE_MS,
      work: () => expireUploads(service),
      failure: 'uploads that no decision has taken could not be deleted',
    },
    {
      every: EXPIRE_MS,
      work: () => expireExports(service),
      failure: 'files of old exports could not be removed',
    },
  ];
}

/**
 * Monitors background work and sends alerts. Every process does so, whatever its role, because no worker
 * may be running.
 */
export function startWatch(service: Service, log: Logger): Ticker {
  const onUndelivered = reporter(log, 'an alert could not be delivered');
  return startTicker(
    WATCH_MS,
    () => watchLedgers({ ...service, onUndelivered }),
    reporter(log, 'monitoring the background work failed'),
  );
}

function reporter(log: Logger, what: string): (error: unknown) => void {
  return (error) => {
    // It is logged once, when it is found.
    if (!(error instanceof DamagedError)) log.warn({ reason: reasonOf(error) }, what);
  };
}
