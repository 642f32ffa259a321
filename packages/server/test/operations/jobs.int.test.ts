import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { describe, expect, it } from 'vitest';
import { openTestService } from '../support/service.js';
import { embeddedEnvironment, runCommand } from '../support/service-process.js';
import { charge, eventOf } from '../support/stripe-events.js';
import {
  deliver,
  eventsOf,
  movementsIn,
  SIGNING_SECRET,
  setSecrets,
  until,
} from '../support/webhooks.js';

describe('Worker start on the embedded engine', () => {
  it('A starting worker immediately retries the jobs of its predecessor', async () => {
    const bed = await openTestService('embedded');
    const { db } = bed.service;
    const { test } = await bed.organisation();
    await setSecrets(test, SIGNING_SECRET);
    for (const id of ['ch_1', 'ch_2']) {
      await deliver(bed, test, eventOf('charge.succeeded', charge({ id })));
    }
    await db.query(sql`
      update job set state = 'active', started_on = now(), heartbeat_on = now(),
        retry_count = case data ->> 'object_id' when 'ch_2' then retry_limit else 0 end
      where name = 'stripe-object'`);
    const started = performance.now();
    await bed.another();
    expect(await states()).toEqual(['active', 'active']);
    await bed.another({ isWorker: true });
    await until('it is done', async () => (await eventsOf(test)).length === 1);
    // Sooner than the timeout after which a silent worker counts as dead.
    expect(performance.now() - started).toBeLessThan(12_000);
    expect(movementsIn(await eventsOf(test))).toEqual(['ch_1/charge']);
    // A job without tries left is not retried: it becomes dead when its worker has been silent.
    await until('the other is given up', async () => (await states()).includes('failed'));
    expect(await eventsOf(test)).toHaveLength(1);
    await bed.close();

    async function states(): Promise<string[]> {
      const rows = await db.query<{ state: string }>(sql`
        select state::text as state from job where name = 'stripe-object'`);
      return rows.map(({ state }) => state);
    }
  });

  it('A worker starts although two jobs with one key are running and waiting for a retry', async () => {
    const bed = await openTestService('embedded');
    const { db } = bed.service;
    await db.query(sql`
      insert into job (name, state, policy, singleton_key, data, retry_limit, heartbeat_seconds,
        started_on, heartbeat_on, start_after)
      select 'reconciliation', state::job_state, 'stately', 'one key', '{}'::jsonb, 8, 15,
        now(), now(), now() + interval '1 hour'
      from unnest(array['active', 'retry', 'created']) as state`);
    await bed.another({ isWorker: true });
    const rows = await db.query<{ state: string }>(sql`
      select state::text as state from job where singleton_key = 'one key' order by 1`);
    expect(rows.map(({ state }) => state)).toEqual(['active', 'created', 'retry']);
    await bed.close();
  });
});

describe('Roles on the embedded engine', () => {
  it.for(['worker', 'api'])('The role %s is refused with the remedy', async (role) => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'decision-ledger-role-')), 'data');
    const environment = { ...embeddedEnvironment(dataDir), LEDGER_ROLE: role };
    const { code, stderr } = await runCommand(['serve'], environment);
    rmSync(join(dataDir, '..'), { recursive: true });
    expect(code).not.toBe(0);
    expect(stderr).toContain(`LEDGER_ROLE=${role} requires PostgreSQL: set DATABASE_URL`);
  });
});
