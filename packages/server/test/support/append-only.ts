import type pg from 'pg';
import { expect } from 'vitest';
import { withClient } from './stored-chain.js';

/** What the service's role may never do, for each table that only grows. */
const FORBIDDEN = [
  'decisions',
  'activity',
  'chains',
  'idempotency_keys',
  'organisations',
  'ledgers',
]
  .flatMap((table) => [
    `update ${table} set ledger_id = ledger_id`,
    `delete from ${table}`,
    `truncate ${table}`,
    `drop table ${table}`,
    `alter table ${table} add column more text`,
  ])
  .map((statement) =>
    statement.replace('organisations set ledger_id = ledger_id', 'organisations set name = name'),
  );

const ALSO_FORBIDDEN = [
  'delete from chain_heads',
  'delete from api_keys',
  "update api_keys set permissions = '{}'",
  'update schema_migrations set version = version',
  'create table more (id integer)',
];

/** Over a connection that already acts as `ledger_app`, or after `set role`. */
export async function expectAppendOnly(
  connection: pg.ClientConfig,
  setRole: boolean,
): Promise<void> {
  await withClient(connection, async (client) => {
    if (setRole) await client.query('set role ledger_app');
    const { rows } = await client.query('select current_user as name');
    expect(rows).toEqual([{ name: 'ledger_app' }]);
    for (const statement of [...FORBIDDEN, ...ALSO_FORBIDDEN]) {
      await expect(client.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
  });
}
