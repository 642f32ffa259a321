import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCitus } from '../support/citus-server.js';
import { type Client, decision } from '../support/client.js';
import { event } from '../support/money.js';
import { describePostgres } from '../support/postgres.js';
import type { PostgresServer } from '../support/postgres-server.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withClient } from '../support/stored-chain.js';

const KEY = { 'idempotency-key': 'recorded-once' };

describePostgres('A server of a cluster that is lost', () => {
  let cluster: Awaited<ReturnType<typeof startCitus>>;
  let bed: TestService;
  let database: string;
  beforeAll(async () => {
    cluster = await startCitus();
    bed = await openTestService('postgres', { server: cluster.coordinator });
    database = new URL(bed.environment.DATABASE_URL ?? '').pathname;
  });
  afterAll(async () => {
    await bed?.close();
    await cluster?.stop();
  });

  const connectionTo = ({ handle }: PostgresServer) => ({
    connectionString: `postgres://postgres@127.0.0.1:${handle.port}${database}`,
  });
  const ask = <Row extends object>(server: PostgresServer, text: string, values: string[] = []) =>
    withClient(
      connectionTo(server),
      async (client) => (await client.query<Row>(text, values)).rows,
    );

  /** A ledger, the node that has it, and the name of the part of the heads there. */
  async function ledgerOn(wanted: PostgresServer): Promise<{ live: Client; heads: string }> {
    for (;;) {
      const { live } = await bed.organisation();
      const { ledgerId } = await scopeOf(bed, live);
      const [part] = await ask<{ heads: string; port: number }>(
        cluster.coordinator,
        `select shard_name as heads, nodeport as port from citus_shards
        where shardid = get_shard_id_for_distribution_column('chain_heads', $1::uuid)`,
        [ledgerId],
      );
      if (part?.port === wanted.handle.port) return { live, heads: part.heads };
    }
  }

  /** The processes of the coordinator that serve the service. */
  const served = async () => {
    const rows = await ask<{ pid: number }>(
      cluster.coordinator,
      "select pid from pg_stat_activity where application_name like 'decision-ledger%' order by pid",
    );
    return rows.map(({ pid }) => pid);
  };

  it('Beside a dead worker, the connections of the service go on, and serve its ledgers again when it is back', async () => {
    const [dead, other] = cluster.workers;
    if (dead === undefined || other === undefined) throw new Error('there are two workers');
    const [{ live: stopped }, { live: going }] = [await ledgerOn(dead), await ledgerOn(other)];
    const record = (live: Client) => live.post('/decisions', decision());
    const before = await served();
    await dead.killAll();
    for (let tries = 0; tries < 20; tries += 1) {
      const refused = await record(stopped);
      expect(refused.status).toBe(503);
      expect(refused.header('retry-after')).toMatch(/^[1-9]/);
      expect((await record(going)).status).toBe(201);
    }
    expect(before).toEqual(expect.arrayContaining(await served()));
    await dead.start();
    expect((await record(stopped)).status).toBe(201);
    expect(before).toEqual(expect.arrayContaining(await served()));
  });

  it('What waits on a node when the coordinator dies is answered 503, and takes place once', async () => {
    const [worker] = cluster.workers;
    if (worker === undefined) throw new Error('there is no worker');
    const { live, heads } = await ledgerOn(worker);
    const record = () => live.post('/financial-events', event(), KEY);
    const answer = await withClient(connectionTo(worker), async (client) => {
      await client.query('begin');
      await client.query(`select from ${heads} for update`);
      const recorded = record();
      await expect
        .poll(() => ask(worker, "select from pg_locks where not granted and mode = 'ShareLock'"))
        .toHaveLength(1);
      killParent(cluster.coordinator);
      return recorded;
    });
    expect(answer.status).toBe(503);
    expect(answer.header('retry-after')).toMatch(/^[1-9]/);
    await cluster.coordinator.start();
    await expect.poll(async () => (await record()).status).toBe(201);
    expect((await record()).header('idempotency-replayed')).toBe('true');
  });
});

/** The other processes of the server notice it, each in its own time. */
function killParent(server: PostgresServer): void {
  const [pid] = readFileSync(join(server.data, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}
