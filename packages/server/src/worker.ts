import type { Logger } from 'pino';
import { sweepUncorrelated } from './domains/attribution/index.js';
import { attributionJobs } from './domains/attribution/jobs.js';
import { startTicker } from './platform/ticker.js';
import type { Service } from './service.js';

/** The background work of one process. */
export interface Worker {
  /** Lets what is under way end. */
  stop(): Promise<void>;
}

const SWEEP_MS = 60_000;

/** Takes up jobs, and looks from time to time for work that nobody asked for. */
export async function startWorker(service: Service, log: Logger): Promise<Worker> {
  const { db, jobs } = service;
  await attributionJobs(jobs, service);
  const tick = (everyMs: number, what: string, task: () => Promise<void>) =>
    startTicker(everyMs, task, (error) =>
      log.warn({ reason: error instanceof Error ? error.message : String(error) }, what),
    );
  const tickers = [
    tick(SWEEP_MS, 'the search for events without correlation failed', () =>
      sweepUncorrelated(db, jobs),
    ),
  ];
  return {
    async stop() {
      await Promise.all(tickers.map((ticker) => ticker.stop()));
    },
  };
}
