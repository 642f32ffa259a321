import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startEngine } from '@decision-ledger/embedded/engine';
import { packDatabase, unpackDatabase } from '@decision-ledger/embedded/prepared';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config';
import { ownerLogin } from '#server/platform/connection';
import { preparedDatabase } from '#server/prepared-database';
import { openService, type Service } from '#server/service';
import { Child, connect } from '../../../embedded/test/support/engine-process.js';
import { SERVER } from '../support/paths.js';
import { withClient } from '../support/stored-chain.js';
import { expectSnapshot } from './support/schema-snapshot.js';

/** Starts on a folder from the prepared database, and reports before and after. */
const START = `
import { startEngine } from '@decision-ledger/embedded/engine';
import { preparedDatabase } from '${resolve(SERVER, 'dist/prepared-database.js')}';
const prepared = await preparedDatabase();
console.log('starts');
await startEngine({ dataDir: process.argv[1], prepared });
console.log('runs');
setInterval(() => undefined, 1000);
`;

const root = mkdtempSync(join(tmpdir(), 'prepared-database-'));
let count = 0;

function newFolder(): string {
  count += 1;
  return join(root, `data-${count}`);
}

afterAll(() => rmSync(root, { recursive: true, force: true }));

function open(dataDir: string, options: { needsKey?: boolean } = {}): Promise<Service> {
  const fail = (error: Error) => console.error(error);
  return openService(readConfig({ LEDGER_DATA_DIR: dataDir }), {
    ...{ share: false, onConnectionError: fail, onEngineFailure: fail, ...options },
  });
}

async function rowsOf<Row extends object>(service: Service, sql: string): Promise<Row[]> {
  return withClient(ownerLogin(service.storage.address).client, async (client) => {
    const { rows } = await client.query<Row>(sql);
    return rows;
  });
}

/** Names of relations that hold rows. */
const FILLED = `
  select n.nspname || '.' || c.relname as name,
    (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I.%I',
      n.nspname, c.relname), false, true, '')))[1]::text::int as rows
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname in ('public', 'public_jobs') order by 1`;

describe('Database made from the prepared one', () => {
  let service: Service;
  const dataDir = newFolder();

  beforeAll(async () => {
    // A service that needs its master key would store its id.
    service = await open(dataDir, { needsKey: false });
  });
  afterAll(() => service.close());

  it('The database existed before the start that uses it', async () => {
    const [row] = await rowsOf<{ earlier: boolean }>(
      service,
      `select applied_at < pg_postmaster_start_time() as earlier from schema_migrations limit 1`,
    );
    expect(row?.earlier).toBe(true);
  });

  it('The database has the schema of the migrations', async () => {
    await expectSnapshot(ownerLogin(service.storage.address).client);
  });

  it('The database holds only the schema version and the queues', async () => {
    const tables = await rowsOf<{ name: string; rows: number }>(service, FILLED);
    const filled = tables.filter(({ rows }) => rows > 0).map(({ name }) => name);
    expect(filled).toEqual([
      'public.schema_migrations',
      'public_jobs.queue',
      'public_jobs.version',
    ]);
  });

  it('No role of the database has a password', async () => {
    const roles = await rowsOf(
      service,
      'select rolname from pg_authid where rolpassword is not null',
    );
    expect(roles).toEqual([]);
  });

  it('The next start leaves the database unchanged', async () => {
    const touched = `select max(xmin::text::bigint)::int as newest from (
      select xmin from pg_class union all select xmin from pg_namespace
      union all select xmin from queue union all select xmin from pg_auth_members) t`;
    const before = await rowsOf(service, touched);
    await service.close();
    service = await open(dataDir);
    expect(await rowsOf(service, touched)).toEqual(before);
  });
});

describe('Two ledgers made from the prepared database', () => {
  it('Each ledger has its own system identifier and seed', async () => {
    const prepared = await preparedDatabase();
    const identities = await Promise.all(
      [newFolder(), newFolder()].map(async (dataDir) => {
        const engine = await startEngine({ dataDir, prepared });
        const client = await connect(engine.socketPath);
        const { rows } = await client.query(
          'select system_identifier::text as id from pg_control_system()',
        );
        await client.end();
        await engine.stop();
        const control = readFileSync(join(dataDir, 'pg/global/pg_control'));
        return { id: rows[0].id, seed: control.subarray(0x101, 0x121).toString('hex') };
      }),
    );
    expect(new Set(identities.map(({ id }) => id)).size).toBe(2);
    expect(new Set(identities.map(({ seed }) => seed)).size).toBe(2);
  });
});

describe('Killed first start', () => {
  it('The folder of a killed first start is created again by the next', async () => {
    const prepared = await preparedDatabase();
    for (const files of [1, 200, 900]) {
      const dataDir = newFolder();
      const child = new Child(START, dataDir);
      await child.line();
      while (filesIn(dataDir) < files) await pause(1);
      await child.kill();
      const engine = await startEngine({ dataDir, prepared });
      const client = await connect(engine.socketPath);
      const { rows } = await client.query('select count(*)::int as n from schema_migrations');
      await client.end();
      await engine.stop();
      expect(rows[0].n).toBeGreaterThan(0);
      expect(existsSync(join(dataDir, 'pg.incomplete'))).toBe(false);
    }
  });
});

function filesIn(dataDir: string): number {
  const folder = join(dataDir, 'pg');
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).length : 0;
}

describe('Unusable prepared database', () => {
  const folder = () => {
    const path = newFolder();
    mkdirSync(path);
    return path;
  };

  it('A prepared database that is missing, damaged or outdated is not used, and nothing is written', async () => {
    const { file, madeOf } = await preparedDatabase();
    const whole = readFileSync(file);
    const flipped = Buffer.from(whole);
    flipped[flipped.length >> 1] = (flipped[flipped.length >> 1] ?? 0) ^ 1;
    const damaged = [flipped, whole.subarray(0, -1), whole.subarray(0, 40), Buffer.alloc(0)];
    const target = folder();
    for (const [place, bytes] of damaged.entries()) {
      const path = join(root, `damaged-${place}`);
      await writeFile(path, bytes);
      expect(await unpackDatabase({ file: path, madeOf }, target)).toBe(false);
    }
    expect(await unpackDatabase({ file: join(root, 'absent'), madeOf }, target)).toBe(false);
    expect(await unpackDatabase({ file, madeOf: 'something else' }, target)).toBe(false);
    expect(readdirSync(target)).toEqual([]);
    expect(await unpackDatabase({ file, madeOf }, target)).toBe(true);
  });

  it('A database that was not shut down cannot be packed', async () => {
    const dataDir = newFolder();
    const engine = await startEngine({ dataDir, prepared: await preparedDatabase() });
    try {
      await expect(packDatabase(join(dataDir, 'pg'), 'whatever')).rejects.toThrow('not shut down');
    } finally {
      await engine.stop();
    }
  });

  it('A first start without a prepared database works and only takes longer', async () => {
    const dataDir = newFolder();
    const prepared = { ...(await preparedDatabase()), file: join(root, 'absent') };
    const engine = await startEngine({ dataDir, prepared });
    const client = await connect(engine.socketPath);
    const { rows } = await client.query("select to_regclass('schema_migrations') as found");
    expect(rows[0].found).toBeNull();
    await client.end();
    await engine.stop();
  });
});
