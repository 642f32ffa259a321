import { afterAll, beforeAll, expect, it } from 'vitest';
import { notifyStatus } from '#server/domains/evidence/exports/describe';
import { lockHead } from '#server/platform/chain/head';
import { decision } from '../support/client.js';
import { postExport } from '../support/exports.js';
import { asOwner } from '../support/owner.js';
import { describePostgres } from '../support/postgres.js';
import { openTestService, scopeOf, type TestService } from '../support/service.js';
import { until } from '../support/webhooks.js';

describePostgres('The locks of exports', () => {
  let bed: TestService;

  beforeAll(async () => {
    bed = await openTestService('postgres');
  });
  afterAll(() => bed.close());

  it('A request waits for an export that is being completed, and neither fails', async () => {
    const { db } = bed.service;
    const { live } = await bed.organisation();
    await live.post('/decisions', decision());
    const scope = await scopeOf(bed, live);
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    const isWaiting = async () => (await asOwner(bed, waiting)).length > 0;
    let request: ReturnType<typeof postExport> | undefined;
    // As the transaction that completes an export does.
    await db.ledger(scope).write(async (tx) => {
      await lockHead(tx, 'activity');
      request = postExport(live).then((answer) => answer);
      await until('the request waits', isWaiting);
      await notifyStatus(tx, tx.ids.uuid(), 'complete', tx.clock.now());
    });
    expect((await request)?.status).toBe(202);
  });
});
