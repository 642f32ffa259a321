import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Follower, FollowerList } from '@decision-ledger/contract/operations';
import { success } from '@decision-ledger/contract/shared';
import type { ClientConfig } from 'pg';
import { Parse } from 'typebox/value';
import { expect } from 'vitest';
import { seeded } from '../../../../proof/test/support/seeded.js';
import { type Caller, createCaller, liftRateLimits } from '../../support/caller.js';
import { Journal, orderOf, runWriters, send } from '../../support/load.js';
import {
  type Environment,
  type ServiceProcess,
  startCommand,
  startService,
} from '../../support/service-process.js';
import { withClient } from '../../support/stored-chain.js';
import {
  MoneyBook,
  moveMoney,
  recordOfMonth,
  recordTwice,
  repeatUnanswered,
} from './money-script.js';
import { POISON } from './poison.js';

/** The service with followers that a test adds. */
const PROGRAM = `${import.meta.dirname}/added-followers.js`;

export interface KilledPlace {
  readonly environment: Environment;
  /** Called once the service has started for the first time. */
  liveKey(): string;
  /** Connects as the owner, while the service runs. */
  connection(): Promise<ClientConfig>;
}

/** What was recorded through all kills, and where they struck. */
export interface Survived {
  readonly journal: Journal;
  readonly book: MoneyBook;
  /** Running, and at rest. */
  readonly service: ServiceProcess;
  /** How many kills came while a follower was behind, by its name. */
  readonly behind: ReadonlyMap<string, number>;
}

const WRITERS = 3;
/** How long (ms) a writer rests between two orders: followers and kills are tested, not the load. */
const REST_MS = 25;
/** Checkpoints are signed as often as the settings allow, in seconds. */
const SHORTEST_INTERVAL = 10;
/** How often settings are changed before the first kill. */
export const SETTINGS_BEFORE = 2;
/** One kill in so many comes while the service starts. */
const EVERY_START = 10;

/**
 * Kills the service at random moments while decisions, events, links and settings are recorded: in turn, one kill
 * strikes while a certain follower is behind, and the next one at any time.
 */
export async function killFollowers(
  { environment, liveKey, connection }: KilledPlace,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<Survived> {
  const random = seeded(seed);
  const [journal, book, behind] = [new Journal(), new MoneyBook(), new Map<string, number>()];
  const start = () => startService(environment, PROGRAM);
  let service = await start();
  await withClient(await connection(), (client) => client.query(NOTED));
  await withCaller(service, liveKey(), async (caller) => {
    await liftRateLimits(caller);
    const transparency = { interval_seconds: SHORTEST_INTERVAL };
    const { status } = await caller.call('PATCH', '/api/v1/settings', { transparency });
    expect(status).toBe(200);
  });
  // On a busy machine, the first kills may strike before anything is linked, or before the record that stops a follower.
  const isIdle = () =>
    book.links.size === 0 || book.events.size === 0 || journal.decisions <= POISON.first;
  for (let kill = 1; kill <= kills || (isIdle() && kill <= MOST * kills); kill += 1) {
    await withCaller(service, liveKey(), async (caller) => {
      const script = { caller, random, journal, book, name: `${kill}` };
      await repeatUnanswered(script);
      await recordOfMonth(script, kill);
      await recordTwice(script, kill);
      await withClient(await connection(), (client) => client.query(NIGHT));
      const load = Promise.all([record(caller, journal, `${kill}`), moveMoney(script)]);
      const seen = await momentOf(caller, random, kill);
      await sleep(random() * 120);
      await service.kill();
      await load;
      for (const { name } of seen.filter(isBehind)) behind.set(name, (behind.get(name) ?? 0) + 1);
    });
    if (kill % EVERY_START === 0) {
      await killStarting(environment, random);
      kill += 1;
    }
    service = await start();
    if (kill % 20 === 0) process.stdout.write(`${kill} kills, ${journal.decisions} decisions\n`);
  }
  await withCaller(service, liveKey(), async (caller) => {
    await repeatUnanswered({ caller, random, journal, book, name: 'end' });
    await untilAtHead(caller);
  });
  return { journal, book, service, behind };
}

/** So many times the kills are tried until something was linked. */
const MOST = 4;

/** Makes the nightly run of closings due again. It finds one month more, and compares all closed ones. */
const NIGHT = "update closing_states set run_day = date '2000-01-01'";

/** What the added followers take. */
const NOTED = `
  create table noted (ledger_id uuid, follower text, log text, seq bigint);
  grant select, insert on noted to ledger_app`;

async function withCaller(
  { url }: ServiceProcess,
  key: string,
  work: (caller: Caller) => Promise<void>,
): Promise<void> {
  const caller = createCaller(url, key);
  await work(caller).finally(() => caller.close());
}

/** Records decisions until the process dies, and first those that another one did not answer. */
async function record(caller: Caller, journal: Journal, name: string): Promise<void> {
  const again = journal.unacknowledged.filter(({ key }) => key !== null);
  await runWriters(WRITERS, async (writer, n) => {
    const outcome = await send(caller, journal, again.pop() ?? orderOf(`${name}-${writer}`, n));
    if (outcome.kind === 'refused') throw new Error(`refused with ${outcome.status}`);
    await sleep(REST_MS);
    return outcome.kind === 'acknowledged';
  });
}

/** The longest wait (ms) for a follower to be behind. */
const PATIENCE_MS = 2000;

/**
 * Waits for the moment of a kill.
 * @returns the followers as they were seen last
 */
async function momentOf(caller: Caller, random: () => number, kill: number): Promise<Follower[]> {
  if (kill % 2 === 0) {
    await sleep(random() * 1200);
    return list(caller);
  }
  await sleep(random() * 300);
  const started = performance.now();
  for (;;) {
    const followers = await list(caller);
    const chosen = followers[((kill - 1) / 2) % followers.length];
    if (chosen === undefined) throw new Error('no follower is registered');
    if (isBehind(chosen) || performance.now() - started > PATIENCE_MS) return followers;
    await sleep(5);
  }
}

async function list(caller: Caller): Promise<Follower[]> {
  const { status, body } = await caller.call('GET', '/api/v1/followers');
  expect(status).toBe(200);
  return Parse(success(FollowerList), body).data.followers;
}

const isBehind = ({ logs, due }: Follower): boolean =>
  (due?.waiting ?? 0) > 0 || logs.some(({ lag_records }) => lag_records > 0);

async function untilAtHead(caller: Caller): Promise<void> {
  await expect.poll(async () => (await list(caller)).filter(isBehind)).toEqual([]);
}

/** Longer than a start takes on an idle machine. */
const LONGEST_START_MS = 3000;

async function killStarting(environment: Environment, random: () => number): Promise<void> {
  const starting = startCommand(['serve'], { LEDGER_PORT: '0', ...environment }, PROGRAM);
  await sleep(random() * LONGEST_START_MS);
  starting.kill();
  await starting.ended;
}
