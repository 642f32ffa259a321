import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describePostgres } from '../support/postgres.js';
import { type CrowdedCluster, startCrowdedCluster } from './support/crowded-cluster.js';
import { expectVerified, expectWhole } from './support/expect-whole.js';
import { BUSY, CALM, type Pace, type Tenant } from './support/traffic.js';
import { describeWaits, longestWait } from './support/waits.js';

/** So that a trial of this file can use fewer. */
const ROUNDS = Number(process.env.LONG_TEST_ROUNDS ?? 10);
/** How long there is traffic before and after a move, in ms. */
const AROUND_MS = 2000;
/** What a ledger may wait while it or another one is moved, and what one that stays where processors have time, in ms. */
const [MOST_MS, CALM_MS] = [60_000, 4000];

describePostgres('A cluster whose ledgers move under load', () => {
  let crowd: CrowdedCluster;
  beforeAll(async () => {
    crowd = await startCrowdedCluster();
  }, 600_000);
  afterAll(() => crowd?.stop());

  /** @returns how long the move took, and the longest waits: before it, of ledgers that moved, and of the others, in ms */
  async function moveUnderLoad(name: string, move: () => Promise<void>, pace: Pace) {
    const before = await crowd.places();
    const traffic = crowd.startTraffic(name, pace);
    await sleep(AROUND_MS);
    const started = performance.now();
    await move();
    const took = performance.now() - started;
    await sleep(AROUND_MS);
    await Promise.all([...traffic.values()].map((one) => one.stop()));
    const after = await crowd.places();
    const isMoved = (ledger: string) => before.get(ledger) !== after.get(ledger);
    const moving = crowd.tenants.filter(({ ledger }) => isMoved(ledger));
    // A test ledger needs the settings of its live ledger, too.
    const staying = crowd.tenants.filter(({ organisation }) =>
      moving.every((tenant) => tenant.organisation !== organisation),
    );
    const waitOf = (tenants: readonly Tenant[]) => {
      const chosen = tenants.flatMap(({ ledger }) => traffic.get(ledger) ?? []);
      return longestWait(chosen, { since: started });
    };
    expect([...before.keys()].some(isMoved), 'a ledger moved').toBe(true);
    const quiet = longestWait(traffic.values(), { until: started });
    return { took, before: quiet, moved: waitOf(moving), others: waitOf(staying) };
  }

  /** Moves the part of all tables that has a ledger to the other worker. */
  const moveOne = async (ledger: string) => {
    const from = (await crowd.places()).get(ledger);
    const to = crowd.cluster.workers.find(({ handle }) => handle.port !== from);
    await crowd.ask(
      `select citus_move_shard_placement(get_shard_id_for_distribution_column('chain_heads', $1::uuid),
        '127.0.0.1', $2, '127.0.0.1', $3, shard_transfer_mode => 'force_logical')`,
      [ledger, from, to?.handle.port],
    );
  };

  /** Moves all to one worker first, so that there is something to even out. */
  const crowdOneWorker = async () => {
    const [first] = crowd.cluster.workers;
    for (const [ledger] of await crowd.places()) {
      if ((await crowd.places()).get(ledger) !== first?.handle.port) await moveOne(ledger);
    }
  };

  const rebalance = async () => {
    await crowd.ask("select citus_rebalance_start(shard_transfer_mode => 'force_logical')");
    await crowd.ask('select citus_rebalance_wait()');
  };

  interface Rounds {
    readonly name: string;
    readonly prepare?: () => Promise<void>;
    readonly move: () => Promise<void>;
    readonly pace?: Pace;
  }

  const rounds = async ({ name, prepare, move, pace = BUSY }: Rounds) => {
    const found: Awaited<ReturnType<typeof moveUnderLoad>>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare?.();
      found.push(await moveUnderLoad(`${name}-${round}`, move, pace));
      await expectWhole(crowd);
      console.info(`${name} ${round + 1}: ${describeWaits(crowd, found)}`);
    }
    await expectVerified(crowd);
    for (const { moved, others } of found) {
      expect(Math.max(moved, others)).toBeLessThan(MOST_MS);
    }
    return found;
  };

  const moveFirst = () => moveOne(crowd.tenants[0]?.ledger ?? '');

  it('A ledger that moves to another worker loses nothing, and each record is taken once', async () => {
    await rounds({ name: 'move', move: moveFirst });
  }, 7_200_000);

  it('Ledgers that stay do not wait for one that moves', async () => {
    const found = await rounds({ name: 'move beside calm ledgers', move: moveFirst, pace: CALM });
    for (const { others } of found) expect(others).toBeLessThan(CALM_MS);
  }, 7_200_000);

  it('Rebalancing loses nothing, and each record is taken once', async () => {
    await rounds({ name: 'rebalance', prepare: crowdOneWorker, move: rebalance });
  }, 7_200_000);
});
