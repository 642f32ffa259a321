import type { Logger } from 'pino';
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

/** Takes up jobs, and looks from time to time for work that nobody asked for. */
export async function startWorker(service: Service, log: Logger): Promise<Ticker> {
  const { db, jobs } = service;
  const onEvents = correlationAsker(db, jobs, reporter(log, 'a correlation was not asked for'));
  const tools = {
    ...{ ...service, onEvents },
    writeSuggestions: (...given: Parameters<WriteSuggestions>) =>
      writeSuggestions(service, ...given),
  };
  await attributionJobs(jobs, tools);
  await stripeJobs(jobs, tools);
  await accountingJobs(jobs, tools);
  await liabilityJobs(jobs, tools);
  const onFailure = reporter(log, 'an export failed');
  const onRestart = reporter(log, 'an export begins anew');
  await exportJobs(jobs, exportMakerOf(service, { onFailure, onRestart }));
  const tickers = [
    startTicker(
      SWEEP_MS,
      () => sweepUncorrelated(db, jobs),
      reporter(log, 'the search for events without correlation failed'),
    ),
    startTicker(
      DUE_MS,
      () => requestDuePolls(service),
      reporter(log, 'the search for accounting connections that are due failed'),
    ),
    startTicker(
      NIGHTLY_MS,
      () => requestDueRuns(service),
      reporter(log, 'the search for nightly runs that are due failed'),
    ),
    startTicker(
      ROLL_UP_MS,
      () => rollUpLedgers(service),
      reporter(log, 'the sums for analyses were not brought up to date'),
    ),
    startTicker(
      PRUNE_MS,
      () => pruneAnnouncements(service),
      reporter(log, 'old announcements were not deleted'),
    ),
    startTicker(
      EXPIRE_MS,
      () => expireExports(service),
      reporter(log, 'files of old exports were not removed'),
    ),
  ];
  return {
    async stop() {
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    },
  };
}

/**
 * Watches over the background work and tells those who want to know. Every process does it, whatever
 * its role: where no worker lives, somebody else must say so.
 */
export function startWatch(service: Service, log: Logger): Ticker {
  const onUndelivered = reporter(log, 'an alert was not delivered');
  return startTicker(
    WATCH_MS,
    () => watchLedgers({ ...service, onUndelivered }),
    reporter(log, 'watching over the background work failed'),
  );
}

function reporter(log: Logger, what: string): (error: unknown) => void {
  return (error) =>
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, what);
}
