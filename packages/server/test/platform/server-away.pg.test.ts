import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { freePort } from '../support/free-port.js';
import { describePostgres } from '../support/postgres.js';
import { unprivilegedAccount } from '../support/postgres-install.js';
import {
  type PostgresServer,
  startPostgres,
  type TestDatabase,
} from '../support/postgres-server.js';
import {
  type Environment,
  postgresEnvironment,
  type RunningCommand,
  runCommand,
  startCommand,
} from '../support/service-process.js';
import { withClient } from '../support/stored-chain.js';

describePostgres('A PostgreSQL that is away, recovering or full', () => {
  let server: PostgresServer;
  let database: TestDatabase;
  let environment: Environment;

  beforeAll(async () => {
    server = await startPostgres();
    database = await server.createDatabase();
    environment = postgresEnvironment(database.url);
    expect((await runCommand(['migrate'], environment)).code).toBe(0);
  });
  afterAll(() => server.stop());

  interface Waiting {
    readonly process: RunningCommand;
    readonly url: string;
  }

  async function startWaiting(
    role: 'api' | 'worker',
    place: Environment = environment,
  ): Promise<Waiting> {
    const port = await freePort();
    const given = { LEDGER_PORT: String(port), LEDGER_ROLE: role, LEDGER_LOG_LEVEL: 'warn' };
    const run = startCommand(['serve'], { ...place, ...given });
    return { process: run, url: `http://127.0.0.1:${port}` };
  }

  /** What the address says; null while nothing listens there. */
  async function ask(url: string, path: string): Promise<{ status: number; text: string } | null> {
    const caller = createCaller(url, '');
    try {
      const { status, body } = await caller.call('GET', path);
      return { status, text: JSON.stringify(body) };
    } catch {
      return null;
    } finally {
      caller.close();
    }
  }

  async function expectReason(url: string, reason: RegExp): Promise<void> {
    await expect.poll(async () => (await ask(url, '/readyz'))?.text).toMatch(reason);
    expect((await ask(url, '/readyz'))?.status).toBe(503);
    expect((await ask(url, '/healthz'))?.status).toBe(200);
  }

  async function expectReady({ process: run, url }: Waiting): Promise<void> {
    await expect.poll(async () => (await ask(url, '/readyz'))?.status).toBe(200);
    run.stop();
    const { code, stderr } = await run.ended;
    expect(stderr).toMatch(/waiting for the database: DATABASE_URL: the PostgreSQL at .*, \d+ s/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(0);
  }

  it('API and worker wait for a server that is away and then recovers, and say why', async () => {
    await server.kill();
    const both = await Promise.all([startWaiting('api'), startWaiting('worker')]);
    for (const { url } of both) await expectReason(url, /starting: .*nothing listens there/);
    // A standby that takes no connections answers like a server in recovery, for as long as it is one.
    writeFileSync(join(server.data, 'standby.signal'), '', { mode: 0o600 });
    own(join(server.data, 'standby.signal'));
    server.handle = {
      ...server.handle,
      settings: { ...server.handle.settings, hot_standby: 'off' },
    };
    const starting = server.start();
    for (const { url } of both) {
      await expectReason(url, /starting: .*is starting, stopping or recovering/);
    }
    promote();
    await starting;
    for (const each of both) await expectReady(each);
  });

  it('A command waits half a minute for a server that is away, says so, and then names it', async () => {
    await server.kill();
    const command = startCommand(['verify'], environment);
    const { code } = await command.ended;
    await server.start();
    expect(code).toBe(2);
    const lines = command.stderr().trim().split('\n');
    expect(lines[0]).toMatch(/nothing listens there: .*; waited 0 s so far$/);
    expect(lines.at(-1)).toMatch(/DATABASE_URL: the PostgreSQL at .* cannot be reached, nothing/);
    expect(lines.length).toBeGreaterThan(3);
  });

  it('A limit on the connections of the login ends a start in one line, and doctor names it', async () => {
    await withClient({ connectionString: server.url }, (client) =>
      client.query(`create role narrow login connection limit 1; grant ledger_app to narrow`),
    );
    const narrow = postgresEnvironment(database.url.replace('postgres@', 'narrow@'));
    const { code, stderr } = await runCommand(['serve', '--port', '0'], narrow);
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/refuses the login narrow, .*too many connections.*CONNECTION LIMIT/);
    const doctor = await runCommand(['doctor'], narrow);
    expect(doctor.stdout).toMatch(/failed +database +.*narrow, .*CONNECTION LIMIT/);
    expect(doctor.code).toBe(1);
  });

  it('A login without a free connection is waited for, and named', async () => {
    await withClient({ connectionString: server.url }, (client) =>
      client.query('create role crowded login connection limit 12; grant ledger_app to crowded'),
    );
    const url = database.url.replace('postgres@', 'crowded@');
    const others = Array.from({ length: 12 }, () => new pg.Client({ connectionString: url }));
    await Promise.all(others.map((other) => other.connect()));
    const waiting = await startWaiting('api', postgresEnvironment(url));
    await expectReason(waiting.url, /starting: .*limit on connections is reached/);
    await Promise.all(others.map((other) => other.end()));
    await expectReady(waiting);
  });

  it('Doctor finds nothing wrong on a server, and names settings that lose records', async () => {
    const good = await runCommand(['doctor', '--json'], environment);
    expect(good.stderr).toBe('');
    const report: { is_healthy: boolean; checks: { check: string; status: string }[] } = JSON.parse(
      good.stdout,
    );
    expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([]);
    expect({ code: good.code, is_healthy: report.is_healthy }).toEqual({
      ...{ code: 0, is_healthy: true },
    });
    const careless = await startPostgres({ settings: { fsync: 'off' } });
    try {
      const other = postgresEnvironment(careless.url);
      expect((await runCommand(['migrate'], other)).code).toBe(0);
      const bad = await runCommand(['doctor'], other);
      expect(bad.stdout).toMatch(/failed +settings +fsync = off.*\n +→ Set fsync = on/);
      expect(bad.code).toBe(1);
    } finally {
      await careless.stop();
    }
  });

  /** Ends the recovery of a standby. */
  function promote(): void {
    const signal = join(server.data, 'promote');
    writeFileSync(signal, '');
    own(signal);
    const [pid] = execFileSync('head', ['-n', '1', join(server.data, 'postmaster.pid')], {
      encoding: 'utf8',
    }).split('\n');
    process.kill(Number(pid), 'SIGUSR1');
  }

  function own(path: string): void {
    const account = unprivilegedAccount();
    if (account !== undefined) execFileSync('chown', [`${account.uid}:${account.gid}`, path]);
  }
});
