import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '#server/platform/migrate';
import { placements } from '#server/tables/placement';
import { missingLines } from '../platform/support/schema-snapshot.js';
import {
  addressOf,
  createDatabase,
  createMigratedDatabase,
  describePostgres,
} from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres-server.js';
import { withClient } from '../support/stored-chain.js';

describePostgres('The layout of a cluster', () => {
  let database: TestDatabase;
  const ask = <Row extends object>(text: string) =>
    withClient({ connectionString: database.url }, async (client) => {
      const { rows } = await client.query<Row>(text);
      return rows;
    });

  beforeAll(async () => {
    database = await createMigratedDatabase();
  });
  afterAll(() => database.drop());

  it('Every table is where the layout says', async () => {
    const rows = await ask<{ name: string; type: string }>(
      'select table_name::text as name, citus_table_type as type from citus_tables',
    );
    const types = { distributed: 'distributed', reference: 'reference', managed: 'local' };
    const expected = [...placements()].flatMap(([table, place]) =>
      place === 'local' ? [] : [[table, types[place]]],
    );
    expect(rows.map(({ name, type }) => [name, type]).sort()).toEqual(expected.sort());
  });

  it('All distributed tables have the rows of a ledger on one node', async () => {
    const rows = await ask(`select distinct colocation_id, distribution_column from citus_tables
      where citus_table_type = 'distributed'`);
    expect(rows).toMatchObject([{ distribution_column: 'ledger_id' }]);
  });

  it('The schema has all of that of one server', async () => {
    expect(await missingLines({ connectionString: database.url })).toEqual([]);
  });

  it('The samples of the planner leave out the same columns on every node', async () => {
    const rows = await ask<{
      result: string;
    }>(`select distinct result from run_command_on_shards('decisions', $$
      select string_agg(attname, ' ' order by attname) from pg_attribute
      where attrelid = '%s'::regclass and attstattarget = 0 and attnum > 0$$)`);
    expect(rows).toEqual([{ result: 'alternatives inputs metadata outputs' }]);
  });

  it('A later start has nothing to place, and concurrent first ones place everything once', async () => {
    expect((await migrate(addressOf(database.url))).applied).toEqual([]);
    const fresh = await createDatabase();
    try {
      const starts = Array.from({ length: 4 }, () => migrate(addressOf(fresh.url)));
      const applied = (await Promise.all(starts)).filter((report) => report.applied.length > 0);
      expect(applied).toHaveLength(1);
    } finally {
      await fresh.drop();
    }
  });
});
