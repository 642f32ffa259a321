import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Caller, createCaller, liftRateLimits } from '../support/caller.js';
import { startCitus } from '../support/citus-server.js';
import { expectKept } from '../support/expect-kept.js';
import { keepWriting } from '../support/keep-writing.js';
import { Journal, type Outcome } from '../support/load.js';
import { describePostgres } from '../support/postgres.js';
import type { PostgresServer, TestDatabase } from '../support/postgres-server.js';
import {
  createOrganisation,
  postgresEnvironment,
  type ServiceProcess,
  startService,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

const ROUNDS = 3;

describePostgres('A cluster under load', () => {
  const journal = new Journal();
  let cluster: Awaited<ReturnType<typeof startCitus>>;
  let database: TestDatabase;
  let service: ServiceProcess;
  let caller: Caller;

  beforeAll(async () => {
    cluster = await startCitus();
    database = await cluster.coordinator.createDatabase();
    const environment = postgresEnvironment(database.url);
    const { live } = await createOrganisation(environment, 'acme');
    service = await startService(environment);
    caller = createCaller(service.url, live);
    await liftRateLimits(caller);
  });
  afterAll(async () => {
    caller?.close();
    await service?.stop();
    await cluster?.stop();
  });

  const ask = <Row extends object>(text: string) =>
    withClient({ connectionString: database.url }, async (client) => {
      const { rows } = await client.query<Row>(text);
      return rows;
    });

  /** The node of the ledger, by the port. */
  const placeOfLedger = async () => {
    const [row] = await ask<{ port: number; shard: number }>(`
      select s.nodeport as port, s.shardid::int as shard from citus_shards s
      where s.table_name = 'chain_heads'::regclass
        and s.shardid = (select get_shard_id_for_distribution_column('chain_heads', ledger_id)
          from ledgers where mode = 'live')`);
    return row ?? { port: 0, shard: 0 };
  };

  /** Kills a node several times. @returns how long the ledger was away each time, in seconds, and the refusals */
  async function killUnderLoad(name: string, node: PostgresServer) {
    const away: number[] = [];
    const refused: Outcome[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = keepWriting(caller, journal, `${name}-${round}`);
      await load.acknowledged(100);
      await node.kill();
      await load.refused(30);
      const started = performance.now();
      await node.start();
      await load.acknowledged(100);
      away.push((performance.now() - started) / 1000);
      refused.push(...(await load.stop()));
    }
    return { away, refused };
  }

  const unexpected = (refused: readonly Outcome[]) =>
    refused.filter((one) => one.kind !== 'refused' || one.status !== 503);

  it('Kills of the worker with the ledger lose nothing acknowledged', async () => {
    const { port } = await placeOfLedger();
    const worker = cluster.workers.find(({ handle }) => handle.port === port);
    if (worker === undefined) throw new Error('the ledger is on no worker');
    const { away, refused } = await killUnderLoad('worker', worker);
    expect(unexpected(refused)).toEqual([]);
    await expectKept({ connectionString: database.url }, caller, journal);
    console.info(`worker: from start to recovery ${away.map((s) => s.toFixed(1)).join(', ')} s`);
  }, 600_000);

  it('Kills of the coordinator lose nothing acknowledged', async () => {
    const { away, refused } = await killUnderLoad('coordinator', cluster.coordinator);
    expect(unexpected(refused)).toEqual([]);
    await expectKept({ connectionString: database.url }, caller, journal);
    console.info(
      `coordinator: from start to recovery ${away.map((s) => s.toFixed(1)).join(', ')} s`,
    );
  }, 600_000);

  it('Moves of the ledger between workers lose nothing acknowledged, and stop it for a moment', async () => {
    const moves: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { port, shard } = await placeOfLedger();
      const other = cluster.workers.find(({ handle }) => handle.port !== port);
      const load = keepWriting(caller, journal, `move-${round}`);
      await load.acknowledged(100);
      const started = performance.now();
      await ask(`select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1',
        ${other?.handle.port}, shard_transfer_mode => 'force_logical')`);
      moves.push((performance.now() - started) / 1000);
      await load.acknowledged(100);
      const refused = await load.stop();
      expect(unexpected(refused)).toEqual([]);
      expect((await placeOfLedger()).port).toBe(other?.handle.port);
      await sleep(100);
    }
    await expectKept({ connectionString: database.url }, caller, journal);
    console.info(
      `moves took ${moves.map((s) => s.toFixed(1)).join(', ')} s; ${journal.decisions} decisions acknowledged in all`,
    );
  }, 600_000);
});
