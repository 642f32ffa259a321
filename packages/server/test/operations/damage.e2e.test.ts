import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCaller } from '../support/caller.js';
import { PROGRAM } from '../support/program.js';
import {
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startCommand,
  startService,
} from '../support/service-process.js';
import {
  DamagedFolders,
  emptyLog,
  flipControl,
  flipLog,
  flipRelation,
  removeLog,
  removeRelation,
  zeroLog,
} from './support/damaged-folders.js';

const DAMAGED = 5;
const LOG = /is damaged: the write-ahead log \(pg_wal\)/;

const folders = new DamagedFolders();

beforeAll(() => folders.prepare());
afterAll(() => folders.remove());

/** Damage that a start meets: what it is called, and which checks of doctor fail because of it. */
const CASES = [
  {
    what: 'a table',
    copy: () => folders.copy('stopped', flipRelation('schema_migrations')),
    said: /page 0 of base\/5\/\d+ \(schema_migrations\)/,
    checks: ['schema', 'pages'],
  },
  {
    what: 'an index',
    copy: () => folders.copy('killed', flipRelation('schema_migrations_pkey')),
    said: /page 0 of base\/5\/\d+ \(schema_migrations_pkey\)/,
    checks: ['pages'],
  },
  {
    what: 'a catalog',
    copy: () => folders.copy('stopped', flipRelation('pg_class')),
    said: /page 0 of base\/5\/\d+/,
    checks: ['database', 'pages'],
  },
  {
    what: 'a table whose file is gone',
    copy: () => folders.copy('stopped', removeRelation('schema_migrations')),
    said: /the file base\/5\/\d+ \(schema_migrations\)/,
    checks: ['pages'],
  },
  {
    what: 'the control file',
    copy: () => folders.copy('stopped', flipControl),
    said: /the control file \(global\/pg_control\)/,
    checks: ['control_file'],
  },
  {
    what: 'a log of zeros after a kill',
    copy: () => folders.copy('killed', zeroLog),
    said: LOG,
    checks: ['write_ahead_log'],
  },
  {
    what: 'a log of zeros after a stop',
    copy: () => folders.copy('stopped', zeroLog),
    said: LOG,
    checks: ['write_ahead_log'],
  },
  {
    what: 'an empty log',
    copy: () => folders.copy('killed', emptyLog),
    said: LOG,
    checks: ['write_ahead_log'],
  },
  {
    what: 'a missing log',
    copy: () => folders.copy('killed', removeLog),
    said: LOG,
    checks: ['write_ahead_log'],
  },
  {
    what: 'a record of the log that committed ones follow',
    copy: () => folders.copy('killed', flipLog),
    said: /the record at 0\/[0-9A-F]+: transactions after it were committed/,
    checks: ['write_ahead_log'],
  },
];

describe('Damaged data at the start', () => {
  it.each(CASES)('$what: start and doctor name it', async ({ copy, said, checks }) => {
    const dataDir = copy();
    const environment = { ...embeddedEnvironment(dataDir), LEDGER_LOG_LEVEL: 'silent' };
    const start = await runCommand(['serve', '--port', '0'], environment);
    expect(start.stderr).toMatch(said);
    expect(start.stderr).toMatch(/restore the latest backup into another folder/);
    expect(start.stderr).not.toMatch(/data is kept|\n\s+at /);
    expect(start.code).toBe(DAMAGED);
    const { code, stdout } = await runCommand(['doctor', '--json'], embeddedEnvironment(dataDir));
    const report: { is_healthy: boolean; checks: { check: string; status: string }[] } =
      JSON.parse(stdout);
    expect({ code, is_healthy: report.is_healthy }).toEqual({ code: 1, is_healthy: false });
    const failed = report.checks.filter(({ status }) => status === 'failed');
    expect(failed.map(({ check }) => check)).toEqual(expect.arrayContaining(checks));
  });
});

describe('Damaged data in a running service', () => {
  it('A query that meets it is answered 503, /readyz names it, and the log names it once', async () => {
    const dataDir = folders.copy('stopped', flipRelation('decisions', 1));
    const service = await startService(embeddedEnvironment(dataDir));
    const caller = createCaller(service.url, readKeys(dataDir).test);
    for (let times = 0; times < 3; times += 1) {
      const { status, headers, body } = await caller.call('GET', '/api/v1/decisions?limit=200');
      expect({ status, retry: headers['retry-after'] }).toEqual({ status: 503, retry: '60' });
      expect(body).toMatchObject({
        error: { code: 'unavailable', message: expect.stringContaining('is damaged') },
      });
    }
    const ready = await caller.call('GET', '/readyz');
    expect(ready.status).toBe(503);
    expect(JSON.stringify(ready.body)).toMatch(
      /damaged: pages? .*\d of base\/5\/\d+ \(decisions\)/,
    );
    expect((await caller.call('GET', '/healthz')).status).toBe(200);
    // The work in the background meets the pages, too.
    const doctor = await runCommand(['doctor'], embeddedEnvironment(dataDir));
    expect(doctor.stdout).toMatch(/ok +lock +process \d+ .* holds the folder/);
    expect(doctor.stdout).toMatch(/failed +pages +damaged: pages 1, .* \(decisions\)\n +→ Keep/);
    expect(doctor.code).toBe(1);
    const places = placesIn(service);
    expect(places.length).toBeGreaterThan(0);
    expect(new Set(places).size).toBe(places.length);
    caller.close();
    await service.kill();
  });
});

function placesIn(service: ServiceProcess): string[] {
  return service
    .output()
    .split('\n')
    .filter((line) => line.includes('the database is damaged'))
    .map((line) => /"place":"([^"]+)"/.exec(line)?.[1] ?? line);
}

describe('Delay', () => {
  it('A start on a machine that is too busy for 5 seconds of waiting succeeds, and says what it does', async () => {
    const dataDir = folders.copy('killed');
    const command = startCommand(['serve'], {
      ...{ ...embeddedEnvironment(dataDir), LEDGER_PORT: '0', LEDGER_LOG_LEVEL: 'warn' },
    });
    const began = performance.now();
    const hasWaited = () => command.stderr().includes('waiting for the database');
    // It runs for a small part of the time, until it has waited longer than any limit that there was and has said so.
    while (!command.stdout().includes('listens on')) {
      const isSlow = performance.now() - began < 5000 || !hasWaited();
      if (isSlow) process.kill(command.pid ?? 0, 'SIGSTOP');
      await pause(isSlow ? 400 : 0);
      process.kill(command.pid ?? 0, 'SIGCONT');
      await pause(isSlow ? 40 : 200);
    }
    command.stop();
    const { code, stderr } = await command.ended;
    expect(performance.now() - began).toBeGreaterThan(5000);
    expect(stderr).toMatch(/waiting for the database: recovering, \d+ s/);
    expect(code).toBe(0);
  });

  it('A process that may open too few files says so in one line', () => {
    for (const command of ['serve', 'verify']) {
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, PROGRAM, command],
        { encoding: 'utf8', env: { PATH: process.env.PATH } },
      );
      expect(stderr).toMatch(/^decision-ledger: .*may open 64 files and needs 256.*\n$/);
      expect(status).toBe(2);
    }
  });

  it('The fewest files that are allowed are enough to serve', async () => {
    const dataDir = folders.copy('stopped');
    const run = spawnSync(
      'sh',
      ['-c', 'ulimit -n 256; exec "$0" "$@"', process.execPath, PROGRAM, 'verify'],
      { encoding: 'utf8', env: { PATH: process.env.PATH, LEDGER_DATA_DIR: dataDir } },
    );
    expect(run.stderr).toBe('');
    expect(run.status).toBe(0);
  });
});

describe('decision-ledger doctor', () => {
  it('Finds nothing wrong in a good folder, with and without a service', async () => {
    const dataDir = folders.copy('stopped');
    const environment = embeddedEnvironment(dataDir);
    const service = await startService(environment);
    const beside = await runCommand(['doctor', '--json'], environment);
    await service.stop();
    const alone = await runCommand(['doctor', '--json'], environment);
    for (const { code, stdout, stderr } of [beside, alone]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const report: { checks: { check: string; status: string }[] } = JSON.parse(stdout);
      const bad = report.checks.filter(({ status }) => status === 'failed' || status === 'skipped');
      expect(bad).toEqual([]);
      expect(report.checks.map(({ check }) => check)).toContain('pages');
    }
  });

  it('Names a missing folder, a missing key and a key of another database', async () => {
    const missing = await runCommand(['doctor'], embeddedEnvironment('/nonexistent/ledger'));
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/failed +folder +\/nonexistent\/ledger does not exist/);
    const other = Buffer.alloc(32, 'another key').toString('base64');
    const wrong = await runCommand(['doctor'], {
      ...embeddedEnvironment(folders.copy('stopped')),
      LEDGER_MASTER_KEY: other,
    });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toMatch(/failed +keys +the database was sealed under the master key/);
  });

  it('Names a missing certificate, and one of another installation', async () => {
    const dataDir = folders.copy('stopped');
    const path = join(dataDir, 'installation.json');
    const certificate = readFileSync(path, 'utf8');
    rmSync(path);
    const missing = await runCommand(['doctor'], embeddedEnvironment(dataDir));
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/failed +installation +.* has no installation.json/);
    expect(missing.stdout).toMatch(/→ Put the file back .*decision-ledger certify/);
    const other = '00000000-0000-4000-8000-000000000000';
    writeFileSync(path, certificate.replace(/(?<="installation_id": ")[^"]+/, other));
    const wrong = await runCommand(['doctor'], embeddedEnvironment(dataDir));
    expect(wrong.stdout).toMatch(new RegExp(`failed +installation +.*installation ${other}`));
  });
});
