import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Engine,
  EngineError,
  findRunningEngine,
  startEngine,
} from '@decision-ledger/embedded/engine';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Child, connect, DataFolders } from './support/engine-process.js';

const SERVE = `
import { startEngine } from '@decision-ledger/embedded/engine';
const engine = await startEngine({ dataDir: process.argv[1] });
console.log(engine.socketPath);
setInterval(() => undefined, 1000);
`;

/** Prints the number of each row once its commit is acknowledged. */
const WRITE = `
import pg from 'pg';
import { startEngine } from '@decision-ledger/embedded/engine';
import { engineClientConfig } from '@decision-ledger/embedded/connection';
const engine = await startEngine({ dataDir: process.argv[1] });
const client = new pg.Client(engineClientConfig(engine.socketPath, 'postgres'));
await client.connect();
await client.query('create table if not exists rows (id bigint primary key)');
const { rows } = await client.query('select coalesce(max(id), -1) + 1 as next from rows');
for (let id = Number(rows[0].next); ; id += 1) {
  await client.query('insert into rows values ($1)', [id]);
  process.stdout.write(id + '\\n');
}
`;

/** Finds the engine of the process that holds the folder, and runs a query on it. */
const ASK = `
import pg from 'pg';
import { findRunningEngine } from '@decision-ledger/embedded/engine';
import { engineClientConfig } from '@decision-ledger/embedded/connection';
const running = await findRunningEngine(process.argv[1]);
const client = new pg.Client(engineClientConfig(running.socketPath, 'postgres'));
await client.connect();
const { rows } = await client.query('select name from asked');
console.log(JSON.stringify([running.pid, rows[0].name]));
await client.end();
`;

const folders = new DataFolders();
const engines: Engine[] = [];
const children: Child[] = [];

beforeAll(() => folders.prepare());

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
  await Promise.all(children.splice(0).map((child) => child.kill()));
});

afterAll(() => folders.remove());

async function start(dataDir: string, onFailure?: (error: Error) => void): Promise<Engine> {
  const engine = await startEngine({ dataDir, ...(onFailure && { onFailure }) });
  engines.push(engine);
  return engine;
}

function child(script: string, ...args: string[]): Child {
  const made = new Child(script, ...args);
  children.push(made);
  return made;
}

async function using<Result>(
  engine: Engine,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(engine.socketPath);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function refusal(dataDir: string): Promise<EngineError> {
  const outcome = await startEngine({ dataDir }).catch((error: unknown) => error);
  if (outcome instanceof EngineError) return outcome;
  throw new Error(`it was not refused: ${String(outcome)}`);
}

describe('Durability', () => {
  it('Each commit takes exactly one fsync', async () => {
    const engine = await start(folders.copy());
    await using(engine, async (client) => {
      await client.query('create table rows (id bigint primary key)');
      const before = await engine.counters();
      for (let id = 0; id < 100; id += 1) {
        await client.query('insert into rows values ($1)', [id]);
      }
      expect((await engine.counters()).fsyncs - before.fsyncs).toBe(100);
      await client.query('select count(*) from rows');
      expect((await engine.counters()).fsyncs - before.fsyncs).toBe(100);
    });
  });

  it('Every acknowledged row survives repeated kill -9', async () => {
    const dataDir = folders.copy();
    let acknowledged = -1;
    for (let round = 0; round < 3; round += 1) {
      const writer = child(WRITE, dataDir);
      const wanted = acknowledged + 60 + round * 37;
      while (acknowledged < wanted) acknowledged = Number(await writer.line());
      await writer.kill();
    }
    const engine = await start(dataDir);
    const { rows } = await using(engine, (client) =>
      client.query('select count(*)::int as n, max(id)::int as last from rows'),
    );
    expect(rows[0].last).toBeGreaterThanOrEqual(acknowledged);
    expect(rows[0].n).toBe(rows[0].last + 1);
  });

  it('Automatic checkpoints keep the log small', async () => {
    const dataDir = folders.copy();
    const engine = await start(dataDir);
    await using(engine, async (client) => {
      await client.query('create table rows (id int, filler text)');
      for (let batch = 0; batch < 4; batch += 1) {
        await client.query(
          "insert into rows select i, repeat('x', 700) from generate_series(1, 40000) i",
        );
      }
    });
    expect((await engine.counters()).walBytes).toBeGreaterThan(120 << 20);
    const segments = readdirSync(join(dataDir, 'pg', 'pg_wal')).filter((name) =>
      /^[0-9A-F]{24}$/.test(name),
    );
    expect(segments.length).toBeLessThan(12);
  });
});

describe('Data folder', () => {
  it('A data folder is created private, with a private socket, and left clean', async () => {
    const dataDir = folders.absent();
    mkdirSync(dataDir, { mode: 0o755 });
    const fresh = join(dataDir, 'of', 'its', 'own');
    const engine = await start(fresh);
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(fresh)).toBe(0o700);
    expect(mode(join(fresh, 'pg'))).toBe(0o700);
    expect(mode(engine.socketPath)).toBe(0o600);
    await engine.stop();
    expect(readdirSync(fresh).sort()).toEqual(['lock.1', 'pg']);
  });

  it.each([
    ['short', '/tmp'],
    ['long as well', `/tmp/${'long-'.repeat(20)}`],
  ])('A path too long for sockets works, where TMPDIR is %s', async (_length, folder) => {
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(() => void vi.unstubAllEnvs());
    const dataDir = folders.copy(join(folders.absent(), 'long-'.repeat(20), 'long-'.repeat(20)));
    const engine = await start(dataDir);
    expect(engine.socketPath.length).toBeLessThan(100);
    expect((await findRunningEngine(dataDir))?.pid).toBe(process.pid);
    expect(existsSync(join(dataDir, 'ledger.sock'))).toBe(true);
    const { rows } = await using(engine, (client) => client.query('select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('A data folder in use is refused to other processes, and its holder is named', async () => {
    const dataDir = folders.copy();
    const server = child(SERVE, dataDir);
    await server.line();
    const error = await refusal(dataDir);
    expect(error.code).toBe('folder_in_use');
    expect(error.message).toContain(`process ${server.process.pid}`);
    expect(error.message).toContain('ledger.sock');
  });

  it('A copy of a data folder in use is refused as one, and starts once nothing uses the original', async () => {
    const [dataDir, copy] = [folders.copy(), folders.absent()];
    const server = child(SERVE, dataDir);
    await server.line();
    // As an operator copies it: fs.cp refuses sockets.
    execFileSync('cp', ['-r', dataDir, copy]);
    expect(await findRunningEngine(copy)).toBeNull();
    const error = await refusal(copy);
    expect(error.code).toBe('lock_copied');
    expect(error.message).toContain(
      `${copy} is a copy: its lock belongs to process ${server.process.pid}`,
    );
    expect(error.message).toContain(`which holds ${dataDir}`);
    expect(error.remedy).toContain(`delete ${join(copy, 'lock.1')}`);
    await server.kill();
    await (await start(copy)).stop();
    const atRest = folders.absent();
    execFileSync('cp', ['-r', copy, atRest]);
    await (await start(atRest)).stop();
  });

  it('A data folder in use by the same process is refused too', async () => {
    const dataDir = folders.copy();
    await start(dataDir);
    expect((await refusal(dataDir)).code).toBe('folder_in_use');
  });

  it('A data folder is free after a stop and after kill -9', async () => {
    const dataDir = folders.copy();
    const first = await start(dataDir);
    await first.stop();
    expect(await findRunningEngine(dataDir)).toBeNull();
    const second = child(SERVE, dataDir);
    await second.line();
    await second.kill();
    expect(await findRunningEngine(dataDir)).toBeNull();
    const third = await start(dataDir);
    await third.stop();
    expect(readdirSync(dataDir).sort()).toEqual(['lock.3', 'pg']);
  });

  it('A data folder is not taken from a suspended process', async () => {
    const dataDir = folders.copy();
    const server = child(SERVE, dataDir);
    await server.line();
    server.process.kill('SIGSTOP');
    expect((await refusal(dataDir)).code).toBe('folder_in_use');
  });

  it('A data folder of another PostgreSQL major is refused untouched, with the remedy', async () => {
    const dataDir = folders.copy();
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '16\n');
    const error = await refusal(dataDir);
    expect(error.code).toBe('other_version');
    expect(error.message).toContain('PostgreSQL 16');
    expect(error.remedy).toContain('release of Decision Ledger that wrote it');
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '18\n');
    await start(dataDir);
  });

  it('The engine reports the PostgreSQL major of its data folder', async () => {
    const engine = await start(folders.copy());
    const { rows } = await using(engine, (client) => client.query('show server_version'));
    expect(rows[0].server_version).toMatch(/^18\./);
  });

  it('A data folder of a PostgreSQL server, or a damaged one, is refused', async () => {
    const server = folders.absent();
    mkdirSync(server);
    writeFileSync(join(server, 'PG_VERSION'), '18\n');
    expect((await refusal(server)).code).toBe('folder_foreign');
    const lost = folders.copy();
    rmSync(join(lost, 'pg', 'global'), { recursive: true });
    expect((await refusal(lost)).code).toBe('folder_foreign');
    // Two data folders could lead to one database, past both of their locks.
    const linked = folders.absent();
    mkdirSync(linked);
    symlinkSync(join(folders.copy(), 'pg'), join(linked, 'pg'));
    expect((await refusal(linked)).code).toBe('folder_foreign');
  });

  it('A path that is not a folder is refused', async () => {
    const path = folders.absent();
    writeFileSync(path, 'a file');
    expect((await refusal(path)).code).toBe('folder_unusable');
    expect((await refusal(join(path, 'below'))).code).toBe('folder_unusable');
  });

  it('A data folder is created again if the first start was killed', async () => {
    const dataDir = folders.absent();
    const creator = child(SERVE, dataDir);
    await expect.poll(() => existsSync(join(dataDir, 'pg', 'base'))).toBe(true);
    await creator.kill();
    expect(existsSync(join(dataDir, 'pg.incomplete'))).toBe(true);
    const engine = await start(dataDir);
    const { rows } = await using(engine, (client) => client.query('select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
    expect(existsSync(join(dataDir, 'pg.incomplete'))).toBe(false);
  });
});

describe('Other processes', () => {
  it('Another process finds the running engine and uses it', async () => {
    const dataDir = folders.copy();
    const engine = await start(dataDir);
    await using(engine, async (client) => {
      await client.query("create table asked as select 'found' as name");
    });
    const asking = child(ASK, dataDir);
    expect(JSON.parse(await asking.line())).toEqual([process.pid, 'found']);
    expect(await asking.exited).toBe(0);
  });

  it('Another process waits for an engine that is starting', async () => {
    const dataDir = folders.copy();
    const server = child(SERVE, dataDir);
    await expect.poll(() => existsSync(join(dataDir, 'lock.1'))).toBe(true);
    const found = await findRunningEngine(dataDir);
    expect(found).toEqual({ socketPath: await server.line(), pid: server.process.pid });
  });

  it('Another process finds nothing if no engine runs', async () => {
    expect(await findRunningEngine(folders.absent())).toBeNull();
    expect(await findRunningEngine(folders.copy())).toBeNull();
  });
});

describe('Stop', () => {
  it('A stop finishes the running statement, rolls back open transactions and closes the connections', async () => {
    const dataDir = folders.copy();
    const engine = await start(dataDir);
    const [busy, open] = [await connect(engine.socketPath), await connect(engine.socketPath)];
    await busy.query('create table rows (id bigint)');
    const ended = Promise.all(
      [busy, open].map((each) => new Promise((end) => each.once('end', end))),
    );
    const insert = busy.query('insert into rows select generate_series(1, 200000)');
    await pause(20);
    const begun = open.query('begin').then(() => open.query('insert into rows values (-1)'));
    await Promise.allSettled([insert, begun]);
    await engine.stop();
    await ended;
    const again = await start(dataDir);
    const { rows } = await using(again, (client) =>
      client.query('select count(*)::int as n from rows'),
    );
    expect(rows).toEqual([{ n: 200_000 }]);
  });

  it('A stop may be requested twice', async () => {
    const engine = await start(folders.copy());
    await Promise.all([engine.stop(), engine.stop()]);
  });
});

describe('Engine failure', () => {
  it('A failing engine reports it once, answers nothing more, and loses nothing acknowledged', async () => {
    const dataDir = folders.copy();
    const failures: Error[] = [];
    const engine = await start(dataDir, (error) => failures.push(error));
    const client = await connect(engine.socketPath);
    await client.query('create table rows as select 1 as id');
    // PostgreSQL cannot continue without a next segment for its log.
    const wal = join(dataDir, 'pg', 'pg_wal');
    const kept = join(dataDir, 'kept');
    renameSync(wal, kept);
    await expect(client.query('select pg_switch_wal(); create table more ()')).rejects.toThrow();
    await expect.poll(() => failures).toHaveLength(1);
    expect(failures[0]).toMatchObject({ name: 'EngineError', code: 'engine_failed' });
    expect(failures[0]?.message).toContain('PANIC');
    await engine.stop();
    renameSync(kept, wal);
    const again = await start(dataDir);
    const { rows } = await using(again, (each) => each.query('select id from rows'));
    expect(rows).toEqual([{ id: 1 }]);
  });
});
