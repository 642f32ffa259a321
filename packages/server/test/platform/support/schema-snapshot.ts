import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import type pg from 'pg';
import { expect } from 'vitest';
import { SERVER } from '../../support/paths.js';
import { SCHEMA } from '../../support/postgres-names.js';
import { withClient } from '../../support/stored-chain.js';

const FILE = resolve(SERVER, 'migrations/schema.snapshot.txt');
const UPDATE =
  'UPDATE_SNAPSHOT=1 npx vitest run --project pg packages/server/test/platform/migrate.pg.test.ts';

/** One line for everything that a migration can change and a query can depend on. */
const LINES = [
  `select 'table ' || c.relname || coalesce(' with ' || array_to_string(c.reloptions, ', '), '')
  from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = '${SCHEMA}'::regnamespace`,

  `select 'other ' || c.relkind::text || ' ' || c.relname from pg_class c
  where c.relkind in ('v', 'm', 'S', 'f') and c.relnamespace = '${SCHEMA}'::regnamespace`,

  `select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relkind in ('r', 'p') and c.relnamespace = '${SCHEMA}'::regnamespace
    and a.attnum > 0 and not a.attisdropped`,

  `select 'index ' || c.relname || ' ' || pg_get_indexdef(c.oid) from pg_class c
  where c.relkind = 'i' and c.relnamespace = '${SCHEMA}'::regnamespace`,

  // Newer servers also store NOT NULL as a constraint; it is listed with the column.
  `select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace = '${SCHEMA}'::regnamespace and contype <> 'n'`,

  `select 'function ' || oid::regprocedure || ' ' || md5(replace(replace(
    pg_get_functiondef(oid), '${SCHEMA}.', 'public.'), '''${SCHEMA}''', '''public''')) from pg_proc
  where pronamespace = '${SCHEMA}'::regnamespace and prokind = 'f'`,

  `select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,

  `select 'grant ' || c.relname || ' ' || string_agg(g.privilege_type, ', ' order by g.privilege_type)
  from pg_class c, aclexplode(c.relacl) g
  where c.relnamespace = '${SCHEMA}'::regnamespace and g.grantee = 'ledger_app'::regrole
  group by c.relname`,

  `select 'grant ' || c.relname || '.' || a.attname || ' ' || g.privilege_type
  from pg_attribute a join pg_class c on c.oid = a.attrelid, aclexplode(a.attacl) g
  where c.relnamespace = '${SCHEMA}'::regnamespace and g.grantee = 'ledger_app'::regrole`,

  `select 'grant function ' || p.oid::regprocedure || ' ' || g.privilege_type
    || ' to ' || case when g.grantee = 0 then 'everybody' else 'ledger_app' end
  from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
  where p.pronamespace = '${SCHEMA}'::regnamespace and g.grantee in (0, 'ledger_app'::regrole)`,

  `select 'granted to everybody ' || c.relname || ' ' || g.privilege_type
  from pg_class c, aclexplode(c.relacl) g
  where c.relnamespace = '${SCHEMA}'::regnamespace and g.grantee = 0`,
];

/** The schema of the database after the migrations, as sorted text. */
async function describeSchema(connection: pg.ClientConfig): Promise<string> {
  return withClient(connection, async (client) => {
    const lines: string[] = [];
    for (const text of LINES) {
      const { rows } = await client.query<[string]>({ text, rowMode: 'array' });
      lines.push(...rows.map(([line]) => line.replaceAll(`${SCHEMA}.`, 'public.')));
    }
    return `${lines.sort().join('\n')}\n`;
  });
}

/** With UPDATE_SNAPSHOT=1 the snapshot is written first. */
export async function expectSnapshot(connection: pg.ClientConfig): Promise<void> {
  const schema = await describeSchema(connection);
  if (process.env.UPDATE_SNAPSHOT === '1') writeFileSync(FILE, schema);
  const advice =
    'The schema is not that of migrations/schema.snapshot.txt. If the change is meant, ' +
    `write the snapshot anew and look at the difference: ${UPDATE}`;
  expect(schema, advice).toBe(readFileSync(FILE, 'utf8'));
}

/** The lines of the snapshot that a database lacks, which may have more: parts of tables, and what an extension brought. */
export async function missingLines(connection: pg.ClientConfig): Promise<string[]> {
  const schema = new Set((await describeSchema(connection)).split('\n'));
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => !schema.has(line));
}
