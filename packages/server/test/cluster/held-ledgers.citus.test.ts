import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lockHead } from '#server/platform/chain/head';
import type { Ledger } from '#server/platform/ledger';
import { describePostgres } from '../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withClient } from '../support/stored-chain.js';

/** How long the test looks whether a move goes on that should wait, in ms: a transaction may rest for 15 s. */
const LOOK_MS = 8000;

describePostgres('Ledgers that a transaction holds', () => {
  let bed: TestService;
  let ledger: Ledger;
  beforeAll(async () => {
    bed = await openTestService('postgres');
    const { live } = await bed.organisation();
    ledger = bed.service.db.ledger(await scopeOf(bed, live));
  });
  afterAll(() => bed?.close());

  const ask = <Row extends object>(text: string, values: readonly unknown[]) =>
    withClient({ connectionString: bed.environment.DATABASE_URL }, async (client) => {
      const { rows } = await client.query<Row>(text, [...values]);
      return rows;
    });

  const portOf = async () => {
    const [part] = await ask<{ port: number }>(
      `select nodeport as port from citus_shards
      where shardid = get_shard_id_for_distribution_column('chain_heads', $1::uuid)`,
      [ledger.ledgerId],
    );
    return part?.port;
  };

  /** Moves the part of all tables that has the ledger to the other worker. */
  const move = () =>
    ask(
      `select citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport,
        shard_transfer_mode => 'block_writes')
      from citus_shards s join pg_dist_node n on n.groupid <> 0 and n.nodeport <> s.nodeport
      where s.shardid = get_shard_id_for_distribution_column('chain_heads', $1::uuid)`,
      [ledger.ledgerId],
    );

  it('A move waits for a transaction that has only locked, so that no other one locks the same on the other node', async () => {
    const before = await portOf();
    const order: string[] = [];
    let moving: Promise<unknown> = Promise.resolve();
    await ledger.write(async (tx) => {
      await lockHead(tx, 'activity');
      moving = move().then(() => order.push('moved'));
      await Promise.race([moving, sleep(LOOK_MS)]);
      order.push('ended');
    });
    await moving;
    expect(order).toEqual(['ended', 'moved']);
    expect(await portOf()).not.toBe(before);
  });
});
