import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActivityPage } from '@decision-ledger/contract/chain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportJobs, type MakeExport } from '#server/domains/evidence/exports/jobs';
import {
  type EXPORT_QUEUES,
  EXPORTS,
  LONG_EXPORTS,
} from '#server/domains/evidence/exports/request';
import { runExport } from '#server/domains/evidence/exports/run';
import { exportMakerOf } from '#server/export-thread/make-in-thread';
import type { JobQueue } from '#server/platform/jobs/job-queue';
import type { Scope } from '#server/platform/principal';
import { type Client, dataOf, decision } from '../support/client.js';
import {
  askFor,
  CONSISTENT,
  check,
  download,
  make,
  readExport,
  runTools,
  verdictsOf,
} from '../support/exports.js';
import { asOwner } from '../support/owner.js';
import { type Instance, openTestService, scopeOf, type TestService } from '../support/service.js';
import { settled, until } from '../support/webhooks.js';

let bed: TestService;

beforeAll(async () => {
  bed = await openTestService('embedded');
});
afterAll(() => bed.close());

/** A process whose only background work is exports. */
async function work(maker: MakeExport, shortMs: number): Promise<Instance> {
  const worker = await bed.another();
  await exportJobs(worker.service.jobs, maker, shortMs);
  return worker;
}

async function ledger(): Promise<Client> {
  const { live } = await bed.organisation();
  await live.patch('/settings', { rate_limits: { exports_per_hour: 100 } });
  expect((await live.post('/decisions', decision())).status).toBe(201);
  return live;
}

const isComplete = async (client: Client, id: string) =>
  (await readExport(client, id)).status === 'complete';

/** What takes long: it ends when it is let, unless it is stopped. */
function slowWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end: () => end(),
    run: async (signal: AbortSignal) => {
      const stopped = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
      await Promise.race([ended, stopped]);
    },
  };
}

it('A small export overtakes long ones of other organisations, in one process', async () => {
  const [busy, alsoBusy, other] = [await ledger(), await ledger(), await ledger()];
  const slow = slowWork();
  const long: string[] = [];
  for (const client of [busy, busy, alsoBusy]) long.push((await askFor(client)).export_id);
  const tries: string[] = [];
  const worker = await work(async (_scope, id, signal) => {
    const place = long.indexOf(id);
    tries.push(place === -1 ? 'small' : `${place}`);
    if (place !== -1) await slow.run(signal);
    const owner = [busy, busy, alsoBusy][place] ?? other;
    await make(bed, owner, id);
  }, 500);
  // Both lanes of short work are taken by organisations that keep them as long as they may.
  await until('two exports are made', () => tries.length >= 2);
  const { export_id } = await askFor(other);
  await until('the small export is complete', () => isComplete(other, export_id));
  for (const id of long.slice(0, 2)) expect(await isComplete(busy, id)).toBe(false);
  slow.end();
  await settled(bed.service);
  for (const id of long.slice(0, 2)) expect(await isComplete(busy, id)).toBe(true);
  expect(await isComplete(alsoBusy, long[2] ?? '')).toBe(true);
  // Organisations in turn: the second export of the first one comes after the first of the next one.
  expect(tries.slice(0, 2).sort()).toEqual(['0', '2']);
  await worker.close();
});

const organisation = (): Scope => ({ orgId: randomUUID(), ledgerId: randomUUID(), mode: 'live' });

/** Requests what a test makes in place of an export. */
const send = (queue: (typeof EXPORT_QUEUES)[number], name: string, scope = organisation()) =>
  bed.service.jobs.send(bed.service.db.ledger(scope), queue, { export_id: name }, name);

it('Organisations take turns at long exports, and an export waits however many others come', async () => {
  const request = (scope: Scope, name: string) => send(LONG_EXPORTS, name, scope);
  const [first, second] = [organisation(), organisation()];
  for (const name of ['a1', 'a2', 'a3', 'a4']) await request(first, name);
  await request(second, 'b1');
  const made: string[] = [];
  const worker = await work(async (_scope, name) => {
    made.push(name);
    // Another organisation asks for its first export whenever one is made.
    if (made.length <= 20) await request(organisation(), `new ${made.length}`);
  }, 10_000);
  await until('all are made', () => made.length === 25);
  const others = made.map((name) => name.replace(/^new.*/, 'new'));
  expect(others.slice(0, 8)).toEqual(['a1', 'b1', 'a2', 'new', 'new', 'a3', 'new', 'new']);
  expect(made.indexOf('a4')).toBeLessThan(12);
  await worker.close();
});

const ofLong = (condition: string, id: string) =>
  `where name = 'long-exports' and state ${condition} and data ->> 'export_id' = '${id}'`;

it('A job with an old turn lets no newcomer overtake those that wait', async () => {
  const change = (id: string, text: string) =>
    asOwner(bed, `update job set ${text} ${ofLong("<> 'completed'", id)}`);
  const turnOf = async (id: string) => {
    await send(LONG_EXPORTS, id);
    const [row] = await asOwner(
      bed,
      `select -priority as turn from job ${ofLong("= 'created'", id)}`,
    );
    return row;
  };
  for (const name of ['old', 'waiting']) await send(LONG_EXPORTS, name);
  await change('waiting', 'priority = -100');
  await change('old', `state = 'active', priority = -3`);
  expect(await turnOf('beside a retry that runs')).toEqual({ turn: 100 });
  await change('old', `state = 'retry'`);
  expect(await turnOf('before a retry')).toEqual({ turn: 100 });
  await change('old', `state = 'retry', priority = -200`);
  expect(await turnOf('beside a retry of the last turn')).toEqual({ turn: 201 });
  await change(
    'old',
    `state = 'created', priority = -3, source_name = name, name = 'dead-letters'`,
  );
  const [dead] = await asOwner(bed, `select id::text from job where name = 'dead-letters'`);
  const { id } = Object(dead);
  expect(await bed.service.jobs.redrive(bed.service.db, String(id))).toBe(true);
  expect(await turnOf('beside one that was dead')).toEqual({ turn: 100 });
  await asOwner(bed, `delete from job where name = 'long-exports'`);
});

it('Exports of an organisation that has more of them to make leave the processor to all others', async () => {
  const [busy, other] = [organisation(), organisation()];
  for (const name of ['a1', 'a2', 'a3']) await send(EXPORTS, name, busy);
  await send(EXPORTS, 'b1', other);
  await send(LONG_EXPORTS, 'long', other);
  const made = new Map<string, boolean | undefined>();
  const worker = await work(async (_scope, name, _signal, options) => {
    made.set(name, options?.isInBackground);
  }, 10_000);
  await until('all are made', () => made.size === 5);
  expect(Object.fromEntries(made)).toEqual({
    a1: true,
    a2: true,
    a3: false,
    b1: false,
    long: true,
  });
  await worker.close();
  // It would count as one that made room.
  await asOwner(bed, `delete from job where name = 'long-exports'`);
});

it('One export at a time makes room: the one that has run longest', async () => {
  const [first, second] = [organisation(), organisation()];
  const slow = slowWork();
  const started: string[] = [];
  const worker = await work(async (_scope, name, signal) => {
    started.push(name);
    await slow.run(signal);
  }, 3_600_000);
  const isInTheWay = (scope: Scope, export_id: string) =>
    bed.service.jobs.isInTheWay(
      bed.service.db.ledger(scope),
      { from: EXPORTS, to: LONG_EXPORTS, data: { export_id } },
      600_000,
    );
  for (const [scope, name] of [
    [first, 'first'],
    [second, 'second'],
  ] as const) {
    await send(EXPORTS, name, scope);
    await until('it runs', () => started.includes(name));
  }
  await send(EXPORTS, 'third');
  expect(await isInTheWay(first, 'first')).toBe(false);
  await asOwner(
    bed,
    `update job set created_on = now() - interval '1 hour', start_after = now() - interval '1 hour'
    where name = 'exports' and state = 'created'`,
  );
  expect(await isInTheWay(second, 'second')).toBe(false);
  expect(await isInTheWay(first, 'first')).toBe(true);
  await send(LONG_EXPORTS, 'moved');
  expect(await isInTheWay(first, 'first')).toBe(false);
  slow.end();
  await settled(bed.service);
  await worker.close();
});

it('An export is stopped though the database failed to say who waits', async () => {
  const worker = await bed.another();
  const { jobs } = worker.service;
  const asked = new Set<unknown>();
  const broken: JobQueue = {
    ...jobs,
    async isInTheWay(own, move, ms) {
      const { export_id } = move.data;
      if (!asked.has(export_id)) {
        asked.add(export_id);
        throw new Error('the connection was reset');
      }
      return jobs.isInTheWay(own, move, ms);
    },
  };
  const slow = slowWork();
  const made: string[] = [];
  const stopped: string[] = [];
  await exportJobs(
    broken,
    async (_scope, name, signal) => {
      if (name !== 'small') {
        await slow.run(signal).finally(() => {
          if (signal.aborted) stopped.push(name);
        });
      }
      made.push(name);
    },
    200,
  );
  for (const name of ['long', 'also long', 'small']) await send(EXPORTS, name);
  await until('the small one is made', () => made.includes('small'));
  slow.end();
  await settled(bed.service);
  expect(made.sort()).toEqual(['also long', 'long', 'small']);
  expect(stopped).toContain('long');
  await worker.close();
});

it('An export that fails while it is stopped is tried again in its lane', async () => {
  const others = slowWork();
  let tries = 0;
  const worker = await work(async (_scope, name, signal) => {
    if (name !== 'failing') return others.run(signal);
    tries += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new Error('the disk is full');
  }, 20);
  const scope = organisation();
  await send(EXPORTS, 'failing', scope);
  await until('it runs', () => tries === 1);
  for (const name of ['beside', 'waiting']) await send(EXPORTS, name);
  const failed = () =>
    asOwner(
      bed,
      `select name, output ->> 'message' as message from job
      where data ->> 'export_id' = 'failing' and state = 'retry'`,
    );
  await until('it failed', async () => (await failed()).length > 0);
  expect(await failed()).toEqual([{ name: 'exports', message: 'the disk is full' }]);
  others.end();
  await worker.close();
  await asOwner(bed, `delete from job where state in ('created', 'retry', 'active')`);
});

it('A failure of an export that is being stopped is counted', async () => {
  const client = await ledger();
  const { export_id } = await askFor(client);
  const stop = new AbortController();
  const { tools, failures } = runTools(bed, {
    verify: () => {
      stop.abort();
      return Promise.reject(new Error('the chain cannot be read'));
    },
  });
  const own = tools.db.ledger(await scopeOf(bed, client));
  await expect(runExport(own, tools, export_id, stop.signal)).rejects.toThrow('cannot be read');
  expect(failures).toMatchObject([{ message: 'the chain cannot be read' }]);
});

it('An export whose bundle is sealed keeps its lane', async () => {
  const slow = slowWork();
  const sealed: string[] = [];
  const stopped: string[] = [];
  const worker = await work(async (_scope, name, signal, options) => {
    if (name === 'sealed') {
      options?.onSealed?.();
      sealed.push(name);
    }
    await slow.run(signal).finally(() => {
      if (signal.aborted) stopped.push(name);
    });
  }, 20);
  await send(EXPORTS, 'sealed');
  await until('it is sealed', () => sealed.length === 1);
  for (const name of ['beside', 'waiting']) await send(EXPORTS, name);
  await sleep(500);
  slow.end();
  await settled(bed.service);
  expect(stopped).not.toContain('sealed');
  await worker.close();
});

it('An export that takes long keeps its lane while nobody else waits', async () => {
  const client = await ledger();
  const slow = slowWork();
  const tries: boolean[] = [];
  const ids = [await askFor(client), await askFor(client)].map(({ export_id }) => export_id);
  const worker = await work(async (_scope, id, signal) => {
    if (id === ids[0]) await slow.run(signal).finally(() => tries.push(signal.aborted));
    await make(bed, client, id);
  }, 20);
  await sleep(500);
  slow.end();
  for (const id of ids) await until('the export is complete', () => isComplete(client, id));
  expect(tries).toEqual([false]);
  await worker.close();
});

it('An export that is stopped in its lane goes on in the other one, and is whole', async () => {
  const client = await ledger();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const makeExport = exportMakerOf(bed.service, { onFailure, onRestart: () => undefined });
  const [slow, others] = [slowWork(), slowWork()];
  const tries: boolean[] = [];
  const { export_id } = await askFor(client);
  const worker = await work(async (scope, id, signal) => {
    if (id !== export_id) return others.run(signal);
    // Nobody waits for its lane before the others are requested.
    await slow.run(new AbortController().signal);
    await makeExport(scope, id, signal).finally(() => tries.push(signal.aborted));
  }, 1);
  for (const name of ['in the other lane', 'waiting']) await send(EXPORTS, name);
  const own = bed.service.db.ledger(await scopeOf(bed, client));
  const move = { from: EXPORTS, to: LONG_EXPORTS, data: { export_id } };
  await until('another one waits', () => worker.service.jobs.isInTheWay(own, move, 1));
  slow.end();
  await until('the export is stopped', () => tries.length === 1);
  others.end();
  await until('the export is complete', () => isComplete(client, export_id));
  await settled(bed.service);
  expect(tries).toEqual([true, false]);
  expect(failures).toEqual([]);
  expect(verdictsOf(await check(await download(bed, client, export_id)))).toMatchObject(CONSISTENT);
  await worker.close();
});

it('An export with a job in both lanes is made by one thread after the other', async () => {
  const client = await ledger();
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => void failures.push(error);
  const makeExport = exportMakerOf(bed.service, { onFailure, onRestart: () => undefined });
  const { export_id } = await askFor(client);
  const scope = await scopeOf(bed, client);
  const { signal } = new AbortController();
  const left = AbortSignal.abort(new Error('stopped'));
  let seals = 0;
  const onSealed = () => {
    seals += 1;
  };
  const first = makeExport(scope, export_id, signal, { onSealed });
  await expect(makeExport(scope, export_id, left)).rejects.toThrow('stopped');
  await Promise.all([first, makeExport(scope, export_id, signal)]);
  expect(failures).toEqual([]);
  expect(seals).toBe(1);
  expect(await isComplete(client, export_id)).toBe(true);
  expect(verdictsOf(await check(await download(bed, client, export_id)))).toMatchObject(CONSISTENT);
  const made = await client.get('/activity?type=export.made&limit=10');
  expect(dataOf(made, ActivityPage).activity).toHaveLength(1);
});

it.runIf(process.platform === 'linux')(
  'The thread of an export in the background has a lower priority than its process',
  async () => {
    const client = await ledger();
    const { export_id } = await askFor(client);
    const make = exportMakerOf(bed.service, { onFailure: () => {}, onRestart: () => {} });
    const stop = new AbortController();
    const making = make(await scopeOf(bed, client), export_id, stop.signal, {
      isInBackground: true,
    });
    await until('a thread has it', () => priorities().includes(10));
    await making;
    expect(await isComplete(client, export_id)).toBe(true);
    expect(getPriority()).toBe(0);
    expect(priorities()).not.toContain(10);
  },
);

/** The priority of each thread of this process: the 17th field after its name. */
function priorities(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]);
  });
}
