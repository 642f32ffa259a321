import sql from 'sql-template-tag';
import type { TestService } from '../support/service.js';
import { withOwner } from '../support/stored-jobs.js';

/** Found before that of PostgreSQL by every session that begins later. */
const OWN_TIME = `
  create schema test_time;
  create table test_time.present (at timestamptz not null);
  insert into test_time.present values (pg_catalog.clock_timestamp());
  create function test_time.clock_timestamp() returns timestamptz language sql volatile as
    'select at from test_time.present';
  grant usage on schema test_time to ledger_app;
  grant select, update on test_time.present to ledger_app;`;

/** The same service, whose records have the time of its clock in place of that of the database. */
export async function withOwnTime(service: TestService): Promise<TestService> {
  await withOwner(service, async (client) => {
    await client.query(OWN_TIME);
    const { rows } = await client.query<{ name: string }>(
      "select format('%I', current_database()) as name",
    );
    const path = 'test_time, pg_catalog, public';
    await client.query(`alter database ${rows[0]?.name} set search_path = ${path}`);
  });
  const restarted = await service.restarted();
  await followClock(restarted);
  return restarted;
}

/** Sets the time of the database to that of the clock. */
export async function followClock({ service, clock }: TestService): Promise<void> {
  await service.db.query(sql`
    update test_time.present set at = to_timestamp(${clock.now()}::bigint / 1000.0)`);
}
