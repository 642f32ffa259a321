import type { Logger } from 'pino';
import { requestDueClosings } from './domains/answers/analytics/index.js';
import { analyticsJobs } from './domains/answers/analytics/jobs.js';
import { watchLedgers } from './domains/delivery/alerts/index.js';
import { expireExports } from './domains/evidence/exports/index.js';
import { exportJobs } from './domains/evidence/exports/jobs.js';
import {
  correlationAsker,
  sweepUncorrelated,
  type WriteSuggestions,
} from './domains/judgement/attribution/index.js';
import { attributionJobs } from './domains/judgement/attribution/jobs.js';
import { requestDueRuns, rollUpLedgers } from './domains/judgement/liability/index.js';
import { liabilityJobs } from './domains/judgement/liability/jobs.js';
import { pruneAnnouncements } from './domains/log/announcements/index.js';
import { moneySignJobs } from './domains/record/financial-events/jobs.js';
import { writeSuggestions } from './domains/record/links/index.js';
import { requestDuePolls } from './domains/sources/accounting/index.js';
import { accountingJobs } from './domains/sources/accounting/jobs.js';
import { stripeJobs } from './domains/sources/stripe/jobs.js';
import { exportMakerOf } from './export-thread/make-in-thread.js';
import { startTicker, type Ticker } from './platform/ticker.js';
import type { Service } from './service.js';

const SWEEP_MS = 60_000;
const DUE_MS = 5_000;
const ROLL_UP_MS = 5_000;
const NIGHTLY_MS = 30_000;
const PRUNE_MS = 3_600_000;
const EXPIRE_MS = 3_600_000;
const WATCH_MS = 15_000;

/** Processes jobs and periodically looks for work that is due. */
export async function startWorker(service: Service, log: Logger): Promise<Ticker> {
  const { db, jobs } = service;
  const onEvents = correlationAsker(
    db,
    jobs,
    reporter(log, 'a correlation could not be requested'),
  );
  const tools = {
    ...service,
    onEvents,
    writeSuggestions: (...given: Parameters<WriteSuggestions>) =>
      writeSuggestions(service, ...given),
  };
  await attributionJobs(jobs, tools);
  await stripeJobs(jobs, tools);
  await accountingJobs(jobs, tools);
  await liabilityJobs(jobs, tools);
  await analyticsJobs(jobs, tools);
  await moneySignJobs(jobs, tools);
  const onFailure = reporter(log, 'an export failed');
  const onRestart = reporter(log, 'an export starts again');
  await exportJobs(jobs, exportMakerOf(service, { onFailure, onRestart }));
  const tickers = [
    startTicker(
      SWEEP_MS,
      () => sweepUncorrelated(service),
      reporter(log, 'the search for events without correlation failed'),
    ),
    startTicker(
      DUE_MS,
      () => requestDuePolls(service),
      reporter(log, 'the search for due accounting polls failed'),
    ),
    startTicker(
      NIGHTLY_MS,
      () => requestDueRuns(service),
      reporter(log, 'the search for due nightly runs failed'),
    ),
    startTicker(
      NIGHTLY_MS,
      () => requestDueClosings(service),
      reporter(log, 'the search for months to close failed'),
    ),
    startTicker(
      ROLL_UP_MS,
      () => rollUpLedgers(service),
      reporter(log, 'the sums for analyses could not be updated'),
    ),
    startTicker(
      PRUNE_MS,
      () => pruneAnnouncements(service),
      reporter(log, 'old announcements could not be deleted'),
    ),
    startTicker(
      EXPIRE_MS,
      () => expireExports(service),
      reporter(log, 'files of old exports could not be removed'),
    ),
  ];
  return {
    async stop() {
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    },
  };
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
  return (error) =>
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, what);
}
