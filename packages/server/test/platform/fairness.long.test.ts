import { setTimeout as sleep } from 'node:timers/promises';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { success } from '@decision-ledger/contract/envelope';
import { Export } from '@decision-ledger/contract/export';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { FollowerList } from '@decision-ledger/contract/follower';
import { LinkPage } from '@decision-ledger/contract/link';
import { type Static, type TSchema, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from '../support/caller.js';
import { decision } from '../support/client.js';
import { ALWAYS } from '../support/exports.js';
import { event } from '../support/money.js';
import { createDatabase, describePostgres } from '../support/postgres.js';
import {
  createOrganisation,
  type Environment,
  postgresEnvironment,
  startService,
} from '../support/service-process.js';
import { until } from '../support/webhooks.js';

const ROUNDS = 20;
/** The records of the busy organisation for each one of the other. */
const WORK = 200;
/** What one busy organisation may add, in ms: its turn. */
const QUANTUM_MS = 100;

type Kind = 'suggestion' | 'estimate' | 'export';
type Waits = Record<Kind, number[]>;

describePostgres('Two organisations', () => {
  it(`${WORK} times the work of one at most doubles what the other waits for`, async () => {
    const database = await createDatabase();
    const environment = postgresEnvironment(database.url);
    const service = await startService(environment);
    const [quiet, busy] = [
      await open(service.url, environment),
      await open(service.url, environment),
    ];
    await measure(quiet, 'warm', 3);
    const alone = await measure(quiet, 'alone', ROUNDS);
    const load = keepBusy(busy);
    const beside = await measure(quiet, 'beside', ROUNDS);
    const records = await load.stop();
    const figures = Object.entries(alone).map(([kind, waits]) => {
      const own = Math.round(p95(waits));
      return { kind, alone: own, beside: Math.round(p95(byName(beside, kind))) };
    });
    console.info(`${records} records of the other: p95 in ms ${JSON.stringify(figures)}`);
    // A round records a decision and an event.
    expect(records).toBeGreaterThan(2 * ROUNDS * WORK);
    const late = figures.filter((one) => one.beside > 2 * one.alone + QUANTUM_MS);
    expect(late).toEqual([]);
    for (const caller of [quiet, busy]) caller.close();
    await service.stop();
    await database.drop();
  });
});

const byName = (waits: Waits, name: string): number[] =>
  Object.entries(waits).find(([kind]) => kind === name)?.[1] ?? [];

async function open(url: string, environment: Environment): Promise<Caller> {
  const { live } = await createOrganisation(environment, 'acme');
  const caller = createCaller(url, live);
  await liftRateLimits(caller);
  const rate_limits = { exports_per_hour: 1000 };
  await ask(caller, ['PATCH', '/settings', { rate_limits }]);
  return caller;
}

async function measure(caller: Caller, name: string, rounds: number): Promise<Waits> {
  const waits: Waits = { suggestion: [], estimate: [], export: [] };
  const times = async (kind: Kind, isThere: () => Promise<boolean>) => {
    const started = performance.now();
    await until(kind, isThere, 600_000, 20);
    waits[kind].push(performance.now() - started);
  };
  for (let round = 0; round < rounds; round += 1) {
    const metadata = { order_id: `${name}-${round}` };
    await send(caller, '/decisions', decision({ metadata }), DecisionReceipt);
    await times('estimate', () => isCaughtUp(caller));
    const timestamp = new Date().toISOString();
    const made = await send(
      caller,
      '/financial-events',
      event({ metadata, timestamp }),
      FinancialEvent,
    );
    await times('suggestion', async () => {
      const path = `/links?financial_event_id=${made.id}`;
      return read(await ask(caller, ['GET', path]), LinkPage).links.length > 0;
    });
    const body = { export_type: 'forensic', ...ALWAYS };
    const { export_id } = await send(caller, '/exports', body, Export, 202);
    await times('export', async () => {
      const reply = await ask(caller, ['GET', `/exports/${export_id}`]);
      return read(reply, Export).status === 'complete';
    });
  }
  return waits;
}

/** Whether every projection of the ledger is at the end of its logs. */
async function isCaughtUp(caller: Caller): Promise<boolean> {
  const { followers } = read(await ask(caller, ['GET', '/followers']), FollowerList);
  return followers.every(
    ({ kind, logs }) => kind !== 'projection' || logs.every(({ lag_records }) => lag_records === 0),
  );
}

/** Records decisions, events and exports, as fast as they are answered. */
function keepBusy(caller: Caller): { stop(): Promise<number> } {
  let [isOver, records] = [false, 0];
  const repeat = async (work: (n: number) => Promise<void>) => {
    for (let n = 0; !isOver; n += 1) await work(n);
  };
  const done = Promise.all([
    repeat(async (n) => {
      const decisions = Array.from({ length: 100 }, (_, at) =>
        decision({ metadata: { order_id: `busy-${n}-${at}` } }),
      );
      expect((await ask(caller, ['POST', '/decisions/batch', { decisions }])).status).toBe(201);
      records += 100;
    }),
    ...[0, 1, 2, 3].map((writer) =>
      repeat(async (n) => {
        const metadata = { order_id: `busy-${Math.floor(n / 100)}-${n % 100}`, writer };
        const timestamp = new Date().toISOString();
        await send(caller, '/financial-events', event({ metadata, timestamp }), FinancialEvent);
        records += 1;
      }),
    ),
    repeat(async () => {
      await send(caller, '/exports', { export_type: 'forensic', ...ALWAYS }, Export, 202);
      await sleep(1000);
    }),
  ]);
  return {
    async stop() {
      isOver = true;
      await done;
      return records;
    },
  };
}

const ask = (caller: Caller, [method, path, body]: readonly [string, string, object?]) =>
  caller.call(method, `/api/v1${path}`, body);

async function send<Schema extends TSchema>(
  caller: Caller,
  path: string,
  body: object,
  schema: Schema,
  status = 201,
): Promise<Static<Schema>> {
  const reply = await ask(caller, ['POST', path, body]);
  expect(reply.status, JSON.stringify(reply.body)).toBe(status);
  return read(reply, schema);
}

function read<Schema extends TSchema>(
  { body }: { readonly body: unknown },
  schema: Schema,
): Static<Schema> {
  return Parse(schema, Parse(success(Type.Unknown()), body).data);
}

function p95(waits: readonly number[]): number {
  const sorted = [...waits].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
