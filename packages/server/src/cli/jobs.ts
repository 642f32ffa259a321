import { everyDeadJob, retryDeadJob } from '../domains/operations/jobs/index.js';
import { type LedgerOptions, withLedger } from './ledger.js';
import { print, printJson } from './output.js';

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
