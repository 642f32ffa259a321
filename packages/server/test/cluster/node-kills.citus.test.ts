import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describePostgres } from '../support/postgres.js';
import type { PostgresServer } from '../support/postgres-server.js';
import { type CrowdedCluster, startCrowdedCluster } from './support/crowded-cluster.js';
import { expectVerified, expectWhole } from './support/expect-whole.js';
import { BUSY, CALM, type Pace, type Tenant } from './support/traffic.js';
import { describeWaits, longestWait, untilServed } from './support/waits.js';

/** So that a trial of this file can use fewer. */
const ROUNDS = Number(process.env.LONG_TEST_ROUNDS ?? 10);
/** How long there is traffic before a kill, and how long a node is away, in ms. */
const BEFORE_MS = 4000;
const AWAY_MS = 2000;
/** What a ledger on another node may wait beside a killed one, in ms: where the processors are busy, and where they are not. */
const [MOST_MS, CALM_MS] = [60_000, 4000];

describePostgres('A cluster whose nodes are killed under load', () => {
  let crowd: CrowdedCluster;
  beforeAll(async () => {
    crowd = await startCrowdedCluster();
  }, 600_000);
  afterAll(() => crowd?.stop());

  /**
   * @returns how long after the start all ledgers were served, and the longest waits of all before the kill and of those on
   *   other nodes after it, in ms
   */
  async function killUnderLoad(name: string, node: PostgresServer, pace: Pace) {
    const places = await crowd.places();
    const traffic = crowd.startTraffic(name, pace);
    await sleep(BEFORE_MS);
    const killed = performance.now();
    await node.killAll();
    await sleep(AWAY_MS);
    const started = performance.now();
    await node.start();
    const recovered = (await untilServed(traffic, started)) - started;
    await Promise.all([...traffic.values()].map((one) => one.stop()));
    const lost = crowd.tenants.filter(({ ledger }) => places.get(ledger) === node.handle.port);
    const isOther = ({ organisation }: Tenant) =>
      lost.every((tenant) => tenant.organisation !== organisation);
    const others = crowd.tenants.filter(isOther).flatMap(({ ledger }) => traffic.get(ledger) ?? []);
    return {
      recovered,
      before: longestWait(traffic.values(), { until: killed }),
      // A test ledger needs the settings of its live ledger, too.
      others: longestWait(
        others.filter((one) => one !== undefined),
        { since: killed },
      ),
    };
  }

  const rounds = async (
    name: string,
    nodeOf: (round: number) => PostgresServer,
    pace: Pace = BUSY,
  ) => {
    const found: Awaited<ReturnType<typeof killUnderLoad>>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      found.push(await killUnderLoad(`${name}-${round}`, nodeOf(round), pace));
      await expectWhole(crowd);
      console.info(`${name} ${round + 1}: ${describeWaits(crowd, found)}`);
    }
    await expectVerified(crowd);
    return found;
  };

  const workerOf = (round: number) => {
    const { workers } = crowd.cluster;
    const worker = workers[round % workers.length];
    if (worker === undefined) throw new Error('there is no worker');
    return worker;
  };

  it('Kills of workers lose nothing acknowledged, each record is taken once, and other ledgers go on', async () => {
    const found = await rounds('worker', workerOf);
    for (const { others } of found) expect(others).toBeLessThan(MOST_MS);
  }, 7_200_000);

  it('Ledgers on other nodes do not wait for a killed worker', async () => {
    const found = await rounds('worker beside calm ledgers', workerOf, CALM);
    for (const { others } of found) expect(others).toBeLessThan(CALM_MS);
  }, 7_200_000);

  it('Kills of the coordinator lose nothing acknowledged, and each record is taken once', async () => {
    await rounds('coordinator', () => crowd.cluster.coordinator);
  }, 7_200_000);
});
