import process from 'node:process';
import { DecisionReceipt } from '@decision-ledger/contract/decision';
import { Export } from '@decision-ledger/contract/export';
import { FinancialEvent } from '@decision-ledger/contract/financial-event';
import { LinkPage } from '@decision-ledger/contract/link';
import { FollowerList } from '@decision-ledger/contract/operations';
import { success } from '@decision-ledger/contract/shared';
import { type Static, type TSchema, Type } from 'typebox';
import { Parse } from 'typebox/value';
import { expect, it, onTestFinished } from 'vitest';
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
import { withClient } from '../support/stored-chain.js';
import { until } from '../support/webhooks.js';

/** So that a trial of this file can use fewer. */
const ROUNDS = Number(process.env.LONG_TEST_ROUNDS ?? 20);
/** The decisions, events and exports of the busy organisation that wait beside each one of the other. */
const WORK = 200;
/** What one busy organisation may add, in ms: its turn. */
const QUANTUM_MS = 100;
/** The most decisions of a batch. */
const BATCH = 100;

const KINDS = ['suggestion', 'estimate', 'export'] as const;
type Kind = (typeof KINDS)[number];
type Waits = Record<Kind, number[]>;

describePostgres('Two organisations', () => {
  it(`${WORK} times the work of one at most doubles what the other waits for`, async () => {
    const database = await createDatabase();
    const environment = postgresEnvironment(database.url);
    const service = await startService(environment);
    onTestFinished(() => service.kill());
    // Both have the same history, because each round makes the next one slower.
    const quiet = await open(service.url, environment, 'quiet');
    const other = await open(service.url, environment, 'other');
    const busy = await open(service.url, environment, 'busy');
    const backlog = await prepareBacklog(busy, database.url);
    for (const caller of [quiet, other]) await measure(caller, 'warm', 3, async () => {});
    const alone = await measure(quiet, 'round', ROUNDS, async () => {});
    const beside = await measure(other, 'round', ROUNDS, () => backlog.queue());
    const figures = KINDS.map((kind) => ({
      ...{ kind, alone: Math.round(p95(alone[kind])), beside: Math.round(p95(beside[kind])) },
      medians: [alone[kind], beside[kind]].map((waits) => Math.round(median(waits))),
    }));
    console.info(`p95 in ms: ${JSON.stringify(figures)}`);
    expect(await backlog.waiting(), 'the other one has work to the end').toBeGreaterThan(0);
    const late = figures.filter((one) => one.beside > 2 * one.alone + QUANTUM_MS);
    expect(late).toEqual([]);
    for (const caller of [quiet, other, busy]) caller.close();
    await service.stop();
    await database.drop();
  });
});

async function open(url: string, environment: Environment, name: string): Promise<Caller> {
  const { live } = await createOrganisation(environment, name);
  const caller = createCaller(url, live);
  await liftRateLimits(caller);
  const rate_limits = { exports_per_hour: 1_000_000 };
  await ask(caller, ['PATCH', '/settings', { rate_limits }]);
  return caller;
}

/** @param prepare called before each wait */
async function measure(
  caller: Caller,
  name: string,
  rounds: number,
  prepare: () => Promise<void>,
): Promise<Waits> {
  const waits: Waits = { suggestion: [], estimate: [], export: [] };
  const times = async (kind: Kind, isThere: () => Promise<boolean>) => {
    const started = performance.now();
    await until(kind, isThere, 600_000, 20);
    waits[kind].push(performance.now() - started);
  };
  for (let round = 0; round < rounds; round += 1) {
    const metadata = { order_id: `${name}-${round}` };
    await prepare();
    await send(caller, '/decisions', decision({ metadata }), DecisionReceipt);
    await times('estimate', () => isCaughtUp(caller));
    const timestamp = new Date().toISOString();
    await prepare();
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
    await prepare();
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

/** What the busy organisation has to do. */
interface Backlog {
  /**
   * Gives it so much to do that WORK decisions, events and exports wait. Their requests have ended: what is measured is
   * the work behind them, not a machine without processor time for requests.
   */
  queue(): Promise<void>;
  /** Events that are due, and exports that are not finished. */
  waiting(): Promise<number>;
}

async function prepareBacklog(caller: Caller, url: string): Promise<Backlog> {
  let batches = 0;
  const decide = async () => {
    batches += 1;
    const decisions = Array.from({ length: BATCH }, (_, at) =>
      decision({ metadata: { order_id: `busy-${batches}-${at}` } }),
    );
    expect((await ask(caller, ['POST', '/decisions/batch', { decisions }])).status).toBe(201);
  };
  const decideAll = async () => {
    for (let made = 0; made < WORK; made += BATCH) await decide();
  };
  await decideAll();
  for (let n = 0; n < WORK; n += 1) {
    const metadata = { order_id: `busy-${1 + Math.floor(n / BATCH)}-${n % BATCH}` };
    const timestamp = new Date().toISOString();
    await send(caller, '/financial-events', event({ metadata, timestamp }), FinancialEvent);
  }
  await until('the events are attributed', () => isCaughtUp(caller), 600_000);
  const [ledger] = await run<{ id: string }>(url, LARGEST_LEDGER, []);
  if (ledger === undefined) throw new Error('nothing was recorded');
  const exports = async () =>
    (await run<{ n: number }>(url, COUNT_EXPORTS, [ledger.id]))[0]?.n ?? 0;
  return {
    async queue() {
      for (let waiting = await exports(); waiting < WORK; waiting += 1) {
        await send(caller, '/exports', { export_type: 'forensic', ...ALWAYS }, Export, 202);
      }
      await decideAll();
      await run(url, LET_EVENTS_WAIT, [ledger.id]);
    },
    async waiting() {
      const [due] = await run<{ n: number }>(url, COUNT_DUE, [ledger.id]);
      return (due?.n ?? 0) + (await exports());
    },
  };
}

const LARGEST_LEDGER =
  'select ledger_id as id from decisions group by ledger_id order by count(*) desc limit 1';
const COUNT_EXPORTS = `select count(*)::int as n from exports
  where ledger_id = $1 and status in ('pending', 'running')`;
const COUNT_DUE = 'select count(*)::int as n from due_work where ledger_id = $1';
/** As after a change of what they are compared with. */
const LET_EVENTS_WAIT = `insert into due_work (ledger_id, follower, subject)
  select ledger_id, 'suggestions', event_id from financial_events where ledger_id = $1
  order by event_id on conflict do nothing`;

async function run<Row extends object>(
  url: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query<Row>(text, [...values]);
    return rows;
  });
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

const p95 = (waits: readonly number[]): number => quantile(waits, 0.95);
const median = (waits: readonly number[]): number => quantile(waits, 0.5);

function quantile(waits: readonly number[], share: number): number {
  const sorted = [...waits].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
