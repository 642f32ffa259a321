import { cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineClientConfig } from '@decision-ledger/embedded/connection';
import { type Engine, startEngine } from '@decision-ledger/embedded/engine';
import pg from 'pg';
import { CERTIFICATE } from '#server/installation/certificate';

/** An embedded engine on a data folder, with the database of a template. */
export interface PooledEngine {
  readonly folder: string;
  /**
   * Stops the engine and starts another one on the folder, which no process may use meanwhile.
   * @param time of the database: see `EngineOptions`
   */
  restart(time?: SharedArrayBuffer): Promise<void>;
  /** Returns the engine for another test, with the content of the template again. */
  release(): Promise<void>;
}

interface Started {
  readonly folder: string;
  readonly engine: Engine;
  /** The files of the data folder at the start. */
  readonly files: ReadonlySet<string>;
  readonly template: string;
  readonly content: Content;
}

interface Content {
  readonly schema: string;
  readonly bytes: number;
  readonly tables: readonly string[];
  /** The rows of the tables that are not empty, as JSON. */
  readonly rows: ReadonlyMap<string, string>;
}

declare global {
  /** A process of the tests runs many files, and a new engine costs more than most tests. */
  var idleEngines: Started[] | undefined;
}

const MOST_IDLE = 2;
/** A larger database is dropped: its empty pages would slow down later tests. */
const MOST_BYTES = 16 * 2 ** 20;

/** An engine on a copy of the template, a data folder that no process uses. */
export async function takeEngine(template: string): Promise<PooledEngine> {
  const known = takeIdle(template);
  let started = known ?? (await start(template));
  let hasOwnTime = false;
  return {
    folder: started.folder,
    async restart(time) {
      await started.engine.stop();
      const options = { dataDir: started.folder, ...(time !== undefined && { time }) };
      started = { ...started, engine: await startEngine(options) };
      hasOwnTime = time !== undefined;
    },
    async release() {
      const isClean = !hasOwnTime && (await clean(started).catch(() => false));
      const idle = idleOnes();
      if (isClean && idle.length < MOST_IDLE) idle.push(started);
      else await drop(started);
    },
  };
}

function idleOnes(): Started[] {
  globalThis.idleEngines ??= [];
  return globalThis.idleEngines;
}

function takeIdle(template: string): Started | undefined {
  const idle = idleOnes();
  const index = idle.findIndex((one) => one.template === template);
  return index === -1 ? undefined : idle.splice(index, 1)[0];
}

async function start(template: string): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-test-'));
  cpSync(template, folder, { recursive: true });
  const engine = await startEngine({ dataDir: folder });
  const files = new Set(readdirSync(folder));
  const content = await asOwner(engine, readContent);
  return { folder, engine, files, template, content };
}

async function drop({ engine, folder }: Started): Promise<void> {
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
}

/** @returns false if the test changed more than rows */
async function clean({ engine, folder, files, template, content }: Started): Promise<boolean> {
  for (const name of readdirSync(folder)) {
    if (!files.has(name)) await rm(join(folder, name), { recursive: true });
  }
  cpSync(join(template, CERTIFICATE), join(folder, CERTIFICATE));
  return asOwner(engine, async (client) => {
    if ((await schemaOf(client)) !== content.schema) return false;
    if ((await bytesOf(client)) > content.bytes + MOST_BYTES) return false;
    await client.query(`begin; set local session_replication_role = replica;
      ${content.tables.map((table) => `delete from ${table}`).join(';')}`);
    for (const [table, rows] of content.rows) {
      await client.query(
        `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`,
        [rows],
      );
    }
    await client.query('commit');
    return true;
  });
}

async function asOwner<Result>(
  engine: Engine,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(engineClientConfig(engine.socketPath, 'postgres'));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function readContent(client: pg.Client): Promise<Content> {
  const { rows: found } = await client.query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`);
  const tables = found.map(({ name }) => name);
  const rows = new Map<string, string>();
  for (const table of tables) {
    const text = `select json_agg(t)::text as rows from ${table} t`;
    const [row] = (await client.query<{ rows: string | null }>(text)).rows;
    if (typeof row?.rows === 'string') rows.set(table, row.rows);
  }
  return { schema: await schemaOf(client), bytes: await bytesOf(client), tables, rows };
}

const SCHEMA = `
  select md5(string_agg(thing, ' ' order by thing)) as value from (
    select concat_ws(' ', oid, relname, relnatts, relacl, relhastriggers, relowner) as thing
      from pg_class where oid >= 16384
    union all select concat_ws(' ', attrelid, attname, attacl)
      from pg_attribute where attrelid >= 16384 and attnum > 0
    union all select concat_ws(' ', oid, proname, proacl, md5(prosrc))
      from pg_proc where oid >= 16384
    union all select concat_ws(' ', oid, nspname, nspacl) from pg_namespace
    union all select concat_ws(' ', oid, rolname) from pg_roles
    union all select oid::text from pg_constraint where oid >= 16384
    union all select oid::text from pg_trigger) things`;

/** A digest of everything but rows. */
async function schemaOf(client: pg.Client): Promise<string> {
  const [row] = (await client.query<{ value: string }>(SCHEMA)).rows;
  return row?.value ?? '';
}

async function bytesOf(client: pg.Client): Promise<number> {
  const [row] = (
    await client.query<{ value: number }>(
      'select pg_database_size(current_database())::float8 as value',
    )
  ).rows;
  return row?.value ?? 0;
}
