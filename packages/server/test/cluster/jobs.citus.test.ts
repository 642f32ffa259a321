import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOG_REBUILDS } from '#server/domains/evidence/transparency/index';
import type { LedgerWriter } from '#server/platform/ledger';
import { describePostgres } from '../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { withClient } from '../support/stored-chain.js';

describePostgres('Jobs of a cluster', () => {
  let bed: TestService;
  beforeAll(async () => {
    bed = await openTestService('postgres');
  });
  afterAll(() => bed?.close());

  /** The transactions that Citus prepared on a node: it notes them for a minute after their end. */
  const noted = () =>
    withClient({ connectionString: bed.environment.DATABASE_URL }, async (client) => {
      const { rows } = await client.query<{ gid: string }>('select gid from pg_dist_transaction');
      return rows.map(({ gid }) => gid);
    });

  /** How many more there are of a transaction of the service that changes a ledger. */
  async function preparedBy(work: (tx: LedgerWriter) => Promise<void>): Promise<number> {
    const { live } = await bed.organisation();
    const ledger = bed.service.db.ledger(await scopeOf(bed, live));
    const before = new Set(await noted());
    await ledger.write(async (tx) => {
      await tx.query(sql`
        update chain_heads set seq = seq where ledger_id = ${tx.ledgerId} and chain = 'activity'`);
      await work(tx);
    });
    return (await noted()).filter((gid) => !before.has(gid)).length;
  }

  it('A transaction that sends a job is prepared on the node of its ledger, and another one is not', async () => {
    expect(await preparedBy(() => Promise.resolve())).toBe(0);
    expect(await preparedBy((tx) => bed.service.jobs.send(tx, LOG_REBUILDS, {}))).toBe(1);
  });
});
