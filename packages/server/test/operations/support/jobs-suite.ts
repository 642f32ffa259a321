import { setTimeout as sleep } from 'node:timers/promises';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { DeadJobPage, RetriedJob } from '@decision-ledger/contract/operations';
import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordEvent } from '#server/domains/record/financial-events/index';
import { STRIPE_OBJECTS } from '#server/domains/sources/stripe/index';
import { recordMovements } from '#server/domains/sources/stripe/record-movements';
import { type JobQueue, openJobQueue } from '#server/platform/jobs/job-queue';
import type { Scope } from '#server/platform/principal';
import { dataOf, expectRefusal } from '../../support/client.js';
import { asOwner } from '../../support/owner.js';
import {
  type Engine,
  type Organisation,
  openTestService,
  type TestService,
} from '../../support/service.js';
import { runCommand } from '../../support/service-process.js';
import { charge, eventOf, refund } from '../../support/stripe-events.js';
import {
  deliver,
  eventsOf,
  movementsIn,
  SIGNING_SECRET,
  setSecrets,
  settled,
  until,
} from '../../support/webhooks.js';

let bed: TestService;
let org: Organisation;
let scope: Scope;

/** Background jobs are run, retried, reported when dead, and take effect once. */
export function jobsSuite(engine: Engine): void {
  describe(`Background jobs on ${engine}`, () => {
    beforeAll(async () => {
      bed = await openTestService(engine, { isWorker: true });
    });
    beforeEach(async () => {
      org = await bed.organisation();
      await setSecrets(org.test, SIGNING_SECRET);
      scope = await scopeOf(org);
    });
    afterAll(() => bed.close());

    describe('Failing jobs', failures);
    describe('Completed jobs', doing);
    describe('New events', scoring);
  });
}

async function scopeOf({ test }: Organisation): Promise<Scope> {
  const [row] = await bed.service.db.query<{ org_id: string; ledger_id: string }>(sql`
    select l.org_id, l.ledger_id from ledgers l join settings s using (ledger_id)
    where l.mode = 'test' order by s.updated_at desc, l.ledger_id desc limit 1`);
  if (row === undefined) throw new Error(`no ledger of ${test.key.slice(0, 12)}`);
  return { orgId: row.org_id, ledgerId: row.ledger_id, mode: 'test' };
}

/** A readable event with one member that cannot be processed. */
const stored = (id: string, currency: string) =>
  JSON.stringify({
    ...{ id: `evt_${id}`, type: 'charge.succeeded', created: 1, livemode: false },
    data: { object: { id, object: 'charge', amount: 100, currency, captured: true } },
  });

/** Adds an event to the inbox that always fails, with its job. */
async function leaveBad(id: string): Promise<void> {
  const { db, jobs } = bed.service;
  await db.query(sql`
    insert into stripe_events (ledger_id, stripe_event_id, charge_id, payload, received_by, received_at)
    values (${scope.ledgerId}, ${`evt_${id}`}, ${id}, ${stored(id, 'whsec_verysecret')}, 'key', now())`);
  await jobs.send(db.ledger(scope), STRIPE_OBJECTS, { object_id: id });
}

interface JobRow {
  readonly state: string;
  readonly tries: number;
  readonly wait: number;
}

async function jobOf(id: string): Promise<JobRow | undefined> {
  const [row] = await bed.service.db.query<JobRow>(sql`
    select state::text as state, retry_count as tries,
      extract(epoch from start_after - now())::float8 as wait
    from job where name = 'stripe-object' and data ->> 'object_id' = ${id}
      and data ->> 'ledger_id' = ${scope.ledgerId}`);
  return row;
}

const hurry = (id: string, tries?: number) =>
  bed.service.db.query(sql`
    update job set start_after = now(), retry_count = coalesce(${tries ?? null}::int, retry_count)
    where name = 'stripe-object' and state = 'retry' and data ->> 'object_id' = ${id}`);

/** Makes the first and the last try fail. */
async function giveUp(id: string): Promise<DeadJobs[number]> {
  await leaveBad(id);
  await until('it failed once', async () => (await jobOf(id))?.state === 'retry');
  await hurry(id, STRIPE_OBJECTS.retries - 1);
  await until('it was given up', async () => (await jobOf(id))?.state === 'failed');
  const found = (await dead()).find(({ data }) => data.object_id === id);
  if (found === undefined) throw new Error('it is not among those that were given up');
  return found;
}

type DeadJobs = Static<typeof DeadJobPage>['jobs'];

async function dead(client = org.test): Promise<DeadJobs> {
  return dataOf(await client.get('/jobs/dead'), DeadJobPage).jobs;
}

const mend = (id: string) =>
  asOwner(bed, 'update stripe_events set payload = $1 where charge_id = $2', [
    stored(id, 'usd'),
    id,
  ]);

function failures(): void {
  it('A failing job is retried with doubling delays and then becomes dead', async () => {
    await leaveBad('ch_slow');
    for (let tries = 0; tries < STRIPE_OBJECTS.retries; tries += 1) {
      await until('it failed', async () => {
        const job = await jobOf('ch_slow');
        return job?.state === 'retry' && job.tries === tries && job.wait > 0.5;
      });
      const { wait } = (await jobOf('ch_slow')) ?? { wait: 0 };
      const base = Math.min(STRIPE_OBJECTS.firstDelay * 2 ** tries, STRIPE_OBJECTS.longestDelay);
      expect(wait).toBeGreaterThan(base - 1.5);
      expect(wait).toBeLessThanOrEqual(Math.min(base * 2, STRIPE_OBJECTS.longestDelay));
      await hurry('ch_slow');
    }
    await until('it was given up', async () => (await dead()).length === 1);
    expect(await dead()).toMatchObject([{ tries: STRIPE_OBJECTS.retries + 1 }]);
  });

  it('A dead job is shown with its error, without secrets or a stack, and only in its own ledger', async () => {
    const job = await giveUp('ch_shown');
    expect(job).toEqual({
      job_id: expect.stringMatching(/^job_/),
      queue: 'stripe-object',
      data: { object_id: 'ch_shown' },
      error: expect.stringContaining('evt_ch_shown: data.object.currency "whsec_[redacted]"'),
      tries: STRIPE_OBJECTS.retries + 1,
      created_at: expect.any(String),
      failed_at: expect.any(String),
    });
    expect(JSON.stringify(job)).not.toMatch(/\bat .*\.js|stack|verysecret/);
    const stranger = await bed.organisation();
    for (const client of [org.live, stranger.test]) {
      expect(await dead(client)).toEqual([]);
      expectRefusal(await client.post(`/jobs/${job.job_id}/retry`, undefined), 'not_found');
    }
    expect(bed.logLines.join('\n')).not.toContain('verysecret');
  });

  it('A dead job whose cause is fixed runs once on request', async () => {
    const { job_id } = await giveUp('ch_mended');
    await mend('ch_mended');
    const retry = () => org.test.post(`/jobs/${job_id}/retry`, undefined);
    expect(dataOf(await retry(), RetriedJob)).toEqual({ job_id, queue: 'stripe-object' });
    await settled(bed.service);
    expect(movementsIn(await eventsOf(org.test))).toEqual(['ch_mended/charge']);
    expect(await dead()).toEqual([]);
    expectRefusal(await retry(), 'not_found');
  });

  it('A dead job whose cause remains becomes dead again', async () => {
    const { job_id } = await giveUp('ch_still');
    await org.test.post(`/jobs/${job_id}/retry`, undefined);
    await until('it failed', async () => (await states('ch_still')).includes('retry'));
    await hurry('ch_still', STRIPE_OBJECTS.retries - 1);
    await until('it was given up', async () => (await dead()).length === 1);
    expect((await dead())[0]?.job_id).not.toBe(job_id);
  });

  it('The command line lists dead jobs and retries one or all', async () => {
    const run = async (...args: string[]) => {
      const choice = ['--org', org.id, '--mode', 'test'];
      const { code, stdout, stderr } = await runCommand(
        ['jobs', ...args, ...choice],
        bed.environment,
      );
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return stdout;
    };
    expect(await run('dead')).toBe('There are no failed jobs.\n');
    const ids = ['ch_a', 'ch_b', 'ch_c'];
    const jobs: DeadJobs = [];
    for (const id of ids) jobs.push(await giveUp(id));
    expect(JSON.parse(await run('dead', '--json'))).toEqual({ jobs: await dead() });
    const listed = await run('dead');
    for (const { job_id } of jobs) expect(listed).toContain(job_id);
    expect(listed).toContain('11 tries');
    expect(listed).not.toContain('verysecret');
    for (const id of ids) await mend(id);
    const first = jobs[0]?.job_id ?? '';
    expect(JSON.parse(await run('retry', first, '--json'))).toEqual({
      jobs: [{ job_id: first, queue: 'stripe-object' }],
    });
    expect(await run('retry', 'all')).toBe('2 jobs will be retried.\n');
    await settled(bed.service);
    expect(movementsIn(await eventsOf(org.test))).toEqual(ids.map((id) => `${id}/charge`));
    expect(await dead()).toEqual([]);
  });
}

async function states(id: string): Promise<string[]> {
  const rows = await bed.service.db.query<{ state: string }>(sql`
    select state::text as state from job
    where name = 'stripe-object' and data ->> 'object_id' = ${id}`);
  return rows.map(({ state }) => state);
}

function doing(): void {
  it('A job that runs twice, even concurrently, takes effect once', async () => {
    await deliver(bed, org.test, eventOf('charge.succeeded', charge({ id: 'ch_twice' })));
    await deliver(
      bed,
      org.test,
      eventOf('refund.created', refund({ id: 're_twice', charge: 'ch_back' })),
    );
    const again = () => recordMovements(bed.service.db.ledger(scope), bed.service.hooks, 'ch_back');
    const { db, jobs } = bed.service;
    for (const object_id of ['ch_twice', 'ch_back', 'ch_twice']) {
      await jobs.send(db.ledger(scope), STRIPE_OBJECTS, { object_id });
    }
    const counts = await Promise.all([again(), again(), again()]);
    expect(counts.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(1);
    await settled(bed.service);
    expect(await again()).toBe(0);
    expect(movementsIn(await eventsOf(org.test, '&include_deleted=true'))).toEqual([
      'ch_twice/charge',
      're_twice/refund',
    ]);
  });

  describe('With polls an hour apart', () => {
    const queue = { ...STRIPE_OBJECTS, name: 'test-wake', data: Type.Object({}) };
    let jobQueue: JobQueue;
    let done = 0;
    beforeAll(async () => {
      const { db, ids, storage } = bed.service;
      const { notifications, address } = storage;
      jobQueue = await openJobQueue({
        ...{ db, ids, notifications, queues: [queue], address },
        ...{ isWorker: true, pollSeconds: 3600, onError: () => undefined },
      });
      await jobQueue.work(queue, async () => {
        done += 1;
      });
    });
    beforeEach(() => {
      done = 0;
    });
    afterAll(() => jobQueue.stop());

    it('Forty jobs requested at once all run', async () => {
      await bed.service.db.ledger(scope).write(async (tx) => {
        for (let n = 0; n < 40; n += 1) await jobQueue.send(tx, queue, {});
      });
      await until('all are done', () => done === 40);
    });

    it('A requested job starts immediately', async () => {
      for (let n = 1; n <= 5; n += 1) {
        await jobQueue.send(bed.service.db.ledger(scope), queue, {});
        await until('the job is done', () => done === n);
      }
    });
  });

  it('A clean stop waits for running jobs', async () => {
    const { db, ids, storage } = bed.service;
    const queue = { ...STRIPE_OBJECTS, name: 'test-stop', data: Type.Object({}) };
    const { notifications, address } = storage;
    const options = {
      ...{ db, ids, notifications, queues: [queue] },
      ...{ address, isWorker: false },
    };
    const jobQueue = await openJobQueue({ ...options, onError: () => undefined });
    const log: string[] = [];
    let finish = () => {};
    const isFinished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await jobQueue.work(queue, async () => {
      log.push('begun');
      await isFinished;
      log.push('done');
    });
    await jobQueue.send(db.ledger(scope), queue, {});
    await until('the job begins', () => log.length === 1);
    const stopped = jobQueue.stop().then(() => log.push('stopped'));
    await sleep(1500);
    expect(log).toEqual(['begun']);
    finish();
    await stopped;
    expect(log).toEqual(['begun', 'done', 'stopped']);
    const rows = await db.query<{ state: string }>(sql`
      select state::text as state from job where name = 'test-stop'`);
    expect(rows).toEqual([{ state: 'completed' }]);
  });
}

const event = (external_id: string) => ({
  ...{ source: 'billing', event_type: 'payment', amount: '10.00', currency: 'USD', external_id },
  timestamp: '2026-03-01T12:00:00Z',
});

async function scored(): Promise<Map<string, number>> {
  const rows = await bed.service.db.query<{ id: string; at: number }>(sql`
    select external_id as id, (extract(epoch from scored_at) * 1000)::bigint as at
    from event_scores join financial_events using (ledger_id, event_id)
    where ledger_id = ${scope.ledgerId} order by 1`);
  return new Map(rows.map(({ id, at }) => [id, at]));
}

function scoring(): void {
  const post = async (name: string, count: number) => {
    const names = Array.from({ length: count }, (_, n) => `${name}-${n}`);
    for (const id of names) {
      dataOf(await org.test.post('/financial-events', event(id)), FinancialEvent, 201);
    }
  };

  it('Each new event is scored exactly once', async () => {
    // More than one step takes.
    await post('first', 60);
    await until('all are taken', async () => (await scored()).size === 60);
    await settled(bed.service);
    const before = await scored();
    bed.clock.advance(1000);
    await post('second', 20);
    await until('all are taken', async () => (await scored()).size === 80);
    await settled(bed.service);
    const after = await scored();
    expect([...before].filter(([id, at]) => after.get(id) !== at)).toEqual([]);
  });

  it('An event is scored without a request for it', async () => {
    const actor = { scope, actor: 'test' };
    await bed.service.db
      .ledger(actor.scope)
      .write((tx) => recordEvent(tx, bed.service.hooks, actor, event('lost')));
    await until('it is taken', async () => (await scored()).has('lost'));
  });
}
