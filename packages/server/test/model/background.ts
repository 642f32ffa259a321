import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, checker } from '@decision-ledger/contract/validation';
import sql from 'sql-template-tag';
import type { TObject } from 'typebox';
import type { VerifyChain } from '#server/domains/evidence/exports/export-run';
import { runExport } from '#server/domains/evidence/exports/run';
import { reconcileWithHistory } from '#server/domains/evidence/reconciliation/index';
import { verifyActivity } from '#server/domains/log/activity/index';
import { verifyDecisions } from '#server/domains/record/decisions/index';
import type { Handler, JobQueue } from '#server/platform/jobs/job-queue';
import type { Queue } from '#server/platform/jobs/stored-jobs';
import { type Scope, type StoredScope, toScope } from '#server/platform/principal';
import { handleJobs, periodicWork } from '#server/worker';
import { runTools } from '../support/exports.js';
import type { Bed } from './bed.js';
import { follow } from './poison.js';
import type { World } from './world.js';

type Run = (scope: Scope, data: unknown, signal: AbortSignal) => Promise<void>;

interface WaitingJob {
  readonly id: string;
  readonly name: string;
  readonly data: StoredScope;
}

/** A poll of a system that is not there may fail; every other job must succeed. */
const MAY_FAIL = 'accounting-poll';

/** What work is done with: without a thread, whose start takes longer than a sequence, and in the time of the clock. */
export function workTools({ instance, clock }: Bed) {
  const { db, files, filesAddress } = instance.service;
  return {
    verify: (...[scope, chain, request]: Parameters<VerifyChain>) =>
      (chain === 'decisions' ? verifyDecisions : verifyActivity)(db.ledger(scope), request),
    reconcile: (scope: Scope) => reconcileWithHistory(db.ledger(scope)),
    files: {
      ...files,
      async put(name: string, path: string) {
        await files.put(name, path);
        if (filesAddress.kind !== 'folder') throw new Error('the files are in no folder');
        const at = clock.now() / 1000;
        await utimes(join(filesAddress.path, name), at, at);
      },
    },
  };
}

/** The handlers of the worker, without its timers: what runs, and when, follows from the commands alone. */
async function handlersOf({ bed }: World): Promise<ReadonlyMap<string, Run>> {
  const { service } = bed.instance;
  const ownTools = workTools(bed);
  const handlers = new Map<string, Run>();
  const { tools } = runTools(bed.instance, ownTools);
  const jobs: JobQueue = {
    ...service.jobs,
    async work<Schema extends TObject>(queue: Queue<Schema>, handler: Handler<Schema>) {
      const read: Check<Schema> = checker(queue.data, 'job');
      handlers.set(queue.name, (scope, data, signal) =>
        handler(service.db.ledger(scope), read(data), signal),
      );
    },
  };
  await handleJobs(jobs, {
    ...service,
    makeExport: (scope, id, signal) => runExport(tools.db.ledger(scope), tools, id, signal),
    reconciliationThread: ownTools,
  });
  return handlers;
}

/** Does all background work that is due, and all that follows from it. */
export async function workOff(world: World): Promise<void> {
  const handlers = await handlersOf(world);
  const { service } = world.bed.instance;
  await follow(world);
  for (const { work } of periodicWork(service)) await work();
  const { signal } = new AbortController();
  for (let job = await takeJob(world); job !== null; job = await takeJob(world)) {
    const { name, data } = job;
    const run = handlers.get(name);
    if (run === undefined) throw new Error(`no handler takes the jobs of ${name}`);
    try {
      await run(toScope(data), data, signal);
    } catch (error) {
      if (!name.startsWith(MAY_FAIL)) throw new Error(`a job of ${name} failed`, { cause: error });
    }
  }
}

/** The oldest waiting job, which is no longer in its queue. */
async function takeJob({ bed: { instance }, ledgers }: World): Promise<WaitingJob | null> {
  const ids = ledgers.map(({ scope }) => scope.ledgerId);
  const [job] = await instance.service.db.query<WaitingJob>(sql`
    delete from job where id = (
      select id from job where state in ('created', 'retry') and name <> 'dead-letters'
        and data ->> 'ledger_id' = any(${ids}::text[])
      order by created_on, id limit 1)
    returning id, name, data`);
  return job ?? null;
}
