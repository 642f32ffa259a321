import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConfig } from 'pg';
import { expect } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from '../../support/caller.js';
import { expectKept, expectValid } from '../../support/expect-kept.js';
import { Journal, type Order, orderOf, runWriters, send, sendHalf } from '../../support/load.js';
import {
  cpuSeconds,
  type Environment,
  type ServiceProcess,
  startService,
} from '../../support/service-process.js';

export interface KillTarget {
  readonly environment: Environment;
  /** Called once the service has started for the first time. */
  liveKey(): string;
  /** Connects as the owner, while the service runs. */
  connection(): Promise<ClientConfig>;
}

const WRITERS = 16;
/** Ten times what a start with recovery takes. */
const MOST_CPU_SECONDS = 20;

/** Kills the service repeatedly under load, and checks every acknowledgement each time. */
export async function survivesKills(target: KillTarget, rounds: number): Promise<void> {
  const journal = new Journal();
  const restarts: number[] = [];
  let [unanswered, replayed] = [0, 0];
  let service = await startService(target.environment);
  let caller = createCaller(service.url, target.liveKey());
  await liftRateLimits(caller);
  for (let round = 0; round < rounds; round += 1) {
    await loadUntilKilled(service, caller, journal, round);
    caller.close();
    service = await startService(target.environment);
    caller = createCaller(service.url, target.liveKey());
    restarts.push(cpuSeconds(service.pid));
    await expectValid(caller, journal);
    const lost = journal.unacknowledged.filter(({ name }) => name.startsWith(`${round}-`));
    unanswered += lost.length;
    replayed += await retryTwice(caller, journal, lost);
  }
  await expectReplays(caller, journal);
  const chain = await expectKept(await target.connection(), caller, journal);
  caller.close();
  await service.stop();
  // Otherwise the kills came while the service was idle.
  expect(unanswered).toBeGreaterThan(rounds);
  expect(Math.max(...restarts)).toBeLessThan(MOST_CPU_SECONDS);
  console.info(
    `${rounds} kills: ${journal.decisions} decisions acknowledged of ${chain.decisions.length} kept, ` +
      `${unanswered} requests cut off (${replayed} of those with a key were kept); ` +
      `CPU of restarts: ${summary(restarts)}`,
  );
}

/**
 * Writers continue until the connection breaks; the kill comes at another moment in every round.
 */
async function loadUntilKilled(
  service: ServiceProcess,
  caller: Caller,
  journal: Journal,
  round: number,
): Promise<void> {
  const enough = journal.acknowledged.size + 20 + ((round * 37) % 100);
  let killed: Promise<void> | undefined;
  const kill = async () => {
    await sleep((round * 13) % 29);
    await service.kill();
  };
  await runWriters(WRITERS, async (writer, n) => {
    const outcome = await send(caller, journal, orderOf(`${round}-${writer}`, n));
    if (journal.acknowledged.size >= enough) killed ??= kill();
    if (outcome.kind === 'refused') throw new Error(`refused with ${outcome.status}`);
    return outcome.kind === 'acknowledged';
  });
  await killed;
}

/**
 * Sends each unanswered order again, twice concurrently; beside it the first half of a batch whose
 * decisions have keys of their own.
 * @returns how many of them had been recorded
 */
async function retryTwice(
  caller: Caller,
  journal: Journal,
  orders: readonly Order[],
): Promise<number> {
  let kept = 0;
  const retry = async (order: Order) => {
    const half = order.keyPerDecision === true ? sendHalf(caller, journal, order) : null;
    const outcomes = await Promise.all([1, 2].map(() => send(caller, journal, order)));
    expect((await half)?.kind ?? 'acknowledged').toBe('acknowledged');
    const replays = outcomes.filter((one) => one.kind === 'acknowledged' && one.replayed);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['acknowledged', 'acknowledged']);
    expect(replays.length).toBeGreaterThan(0);
    kept += replays.length - 1;
  };
  await Promise.all(orders.filter(({ key }) => key !== null).map(retry));
  return kept;
}

/** Earlier acknowledged requests are still answered the same and not carried out again. */
async function expectReplays(caller: Caller, journal: Journal): Promise<void> {
  const orders = [...journal.acknowledged.keys()].flatMap((name) => journal.sent.get(name) ?? []);
  const keyed = orders.filter(({ key }) => key !== null).filter((_, n) => n % 10 === 0);
  for (const order of keyed) {
    expect(await send(caller, journal, order)).toEqual({ kind: 'acknowledged', replayed: true });
  }
}

export function summary(seconds: readonly number[]): string {
  const sorted = [...seconds].sort((a, b) => a - b);
  const text = (one = Number.NaN) => `${one.toFixed(2)} s`;
  return `median ${text(sorted[sorted.length >> 1])}, most ${text(sorted.at(-1))}`;
}
