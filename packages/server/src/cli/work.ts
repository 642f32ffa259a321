import { replayModels } from '../domains/judgement/attribution/index.js';
import { runNow } from '../domains/judgement/liability/index.js';
import { everyDeadJob, retryDeadJob } from '../domains/operations/jobs/index.js';
import { listConnections, releaseWithheld } from '../domains/sources/accounting/index.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { print, printJson, progressBar } from './output.js';

interface JobOptions extends LedgerOptions {
  readonly json?: boolean;
}

export async function printDeadJobs(options: JobOptions): Promise<void> {
  const jobs = await withLedger(options, async (ledger) => everyDeadJob(ledger));
  if (options.json === true) return printJson({ jobs });
  if (jobs.length === 0) return print('There are no failed jobs.');
  for (const { job_id, queue, failed_at, tries, error } of jobs) {
    print(`${job_id}  ${queue}  ${failed_at}  ${tries} tries  ${error}`);
  }
}

/** @param id of a job, or `all` */
export async function retryJobs(id: string, options: JobOptions): Promise<void> {
  const retried = await withLedger(options, async (ledger, { jobs }) => {
    const ids = id === 'all' ? (await everyDeadJob(ledger)).map(({ job_id }) => job_id) : [id];
    const all: { job_id: string; queue: string }[] = [];
    for (const jobId of ids) all.push(await retryDeadJob(ledger, jobs, jobId));
    return all;
  });
  if (options.json === true) return printJson({ jobs: retried });
  print(`${retried.length} jobs will be retried.`);
}

export async function printConnections(options: JobOptions): Promise<void> {
  const connections = await withLedger(options, async (ledger) => listConnections(ledger));
  if (options.json === true) return printJson({ connections });
  if (connections.length === 0) return print('No accounting system is connected.');
  for (const { id, kind, polled_at, problem, withheld } of connections) {
    print(`${id}  ${kind}  ${polled_at ?? 'not polled yet'}  ${problem ?? 'up to date'}`);
    for (const { change, event, amount, currency, description } of withheld?.items ?? []) {
      print(`  ${change}  ${event}  ${amount} ${currency}  ${description ?? ''}`);
    }
  }
}

/** @param connectionId id of the connection in the settings */
export async function releaseConnection(
  connectionId: string,
  plan: string,
  options: JobOptions,
): Promise<void> {
  const connection = await withLedger(options, (ledger, { jobs }, operator) =>
    releaseWithheld(ledger, { jobs }, operator, { connectionId, plan }),
  );
  if (options.json === true) return printJson(connection);
  print(`The next poll of ${connectionId} applies it, if it still finds the same.`);
}

interface AttributionOptions extends LedgerOptions {
  readonly json?: boolean;
}

export async function replayAttribution(options: AttributionOptions): Promise<void> {
  const replay = await withLedger(options, replayModels);
  if (options.json === true) return printJson(replay);
  const { models, differing } = replay;
  print(
    differing.length === 0
      ? `The newest ${models} models follow from the logs, byte for byte.`
      : `These models do not follow from the logs: ${differing.join(', ')}. Restore a backup.`,
  );
}

interface RecalculateOptions extends LedgerOptions {
  readonly json?: boolean;
}

export async function recalculateLiability(options: RecalculateOptions): Promise<void> {
  const { decisions, changed } = await withLedger(options, async (ledger, service) => {
    const bar = progressBar('estimates');
    try {
      return await runNow(ledger, service, (progress) =>
        bar.update(progress.decisions, progress.of),
      );
    } finally {
      bar.stop();
    }
  });
  if (options.json === true) return printJson({ decisions, changed });
  print(`Decisions re-estimated: ${decisions}. Exposures changed: ${changed}.`);
}
