import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInput } from '#server/cli/input';
import { createCaller } from '../support/caller.js';
import { decision } from '../support/client.js';
import { embeddedConnection } from '../support/embedded.js';
import { verifyOverHttp } from '../support/expect-kept.js';
import { event } from '../support/money.js';
import { ROOT } from '../support/paths.js';
import {
  type CommandResult,
  type Environment,
  embeddedEnvironment,
  readKeys,
  runCommand,
  type ServiceProcess,
  startCommand,
  startService,
} from '../support/service-process.js';
import { runShell } from './support/shell.js';

const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-cli-ledgers-'));
const temporary = join(folder, 'tmp');
const dataDir = join(folder, 'data');
const environment: Environment = { ...embeddedEnvironment(dataDir), TMPDIR: temporary };
const file = join(folder, 'three.ndjson');
let service: ServiceProcess;

const run = (...args: string[]): Promise<CommandResult> => runCommand(args, environment);
const shell = (script: string, more: Environment = {}) =>
  runShell(script, { ...environment, FILE: file, ...more });

beforeAll(async () => {
  mkdirSync(temporary);
  service = await startService(environment);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

let round = 0;

/** Three lines that were never imported. */
function writeFresh(): void {
  round += 1;
  const lines = [decision({ inputs: { round } }), decision({ inputs: { round, b: 1 } })];
  const money = event({ external_id: `round-${round}` });
  writeFileSync(file, [...lines, money].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Asks the service: a command would take the time of a process. */
async function lengthOf(mode: 'live' | 'test'): Promise<number> {
  const caller = createCaller(service.url, readKeys(dataDir)[mode]);
  const { records_checked } = await verifyOverHttp(caller);
  caller.close();
  return records_checked;
}

const ALL = { total: 3, imported: 3, decisions: 2, financial_events: 1, already: 0 };

describe('Commands while the engine is busy', () => {
  it('A command waits for the engine of a running service, and says so', async () => {
    const client = new pg.Client(await embeddedConnection(dataDir));
    await client.connect();
    // The engine runs one transaction at a time.
    await client.query('begin');
    const command = startCommand(['org', 'list', '--json'], environment);
    let hasEnded = false;
    void command.ended.finally(() => {
      hasEnded = true;
    });
    while (!command.stderr().includes('is busy') && !hasEnded) {
      await client.query('select pg_sleep(0.1)');
    }
    await client.query('commit');
    await client.end();
    const { code, stdout, stderr } = await command.ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).organisations).toHaveLength(1);
    expect(command.stderr()).toContain(
      'decision-ledger: the database is busy; waited 5 s so far\n',
    );
  });
});

describe('Import from a stream', () => {
  it.each([
    ['a pipe behind -', 'cat "$FILE" | decision-ledger import - --mode test --json'],
    [
      'a pipe behind /dev/stdin',
      'cat "$FILE" | decision-ledger import /dev/stdin --mode test --json',
    ],
    ['process substitution', 'decision-ledger import <(cat "$FILE") --mode test --json'],
    ['a file as standard input', 'decision-ledger import - --mode test --json < "$FILE"'],
    [
      'a named pipe',
      'mkfifo "$FILE.fifo"; cat "$FILE" > "$FILE.fifo" & decision-ledger import "$FILE.fifo" --mode test --json',
    ],
  ])('The import records every line of %s', async (_what, script) => {
    writeFresh();
    const { code, stdout, stderr } = await shell(script);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(ALL);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('An empty or invalid stream is refused as a whole and leaves no temporary file', async () => {
    const cases = [
      ['cat /dev/null | decision-ledger import - --mode test', 'standard input has no lines'],
      ['printf "\\n\\n" | decision-ledger import - --mode test', 'has no lines'],
      [': > "$FILE"; decision-ledger import "$FILE" --mode test', 'has no lines'],
      ['(cat "$FILE"; echo no) | decision-ledger import - --mode test', 'line 1: '],
    ];
    const before = await lengthOf('test');
    for (const [script = '', problem = ''] of cases) {
      const { code, stdout, stderr } = await shell(script);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('nothing was imported');
      expect(stderr).toContain(problem);
    }
    expect(await lengthOf('test')).toBe(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('A killed import leaves no temporary file, since its copy has no name', async () => {
    const script = '(cat "$FILE"; sleep 20) | decision-ledger import - --mode test';
    writeFresh();
    const running = startShell(script);
    await running.untilStarted();
    running.stop();
    await running.ended;
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('The copy of a stream is readable only by its owner', async () => {
    // Runs in this process to inspect the open file.
    const input = await openInput('/dev/zero/none').catch(({ message }) => message);
    expect(input).toContain('/dev/zero/none');
    // The stream ends once its copy was found.
    const { stdout } = await shell(
      'decision-ledger import <(cat "$FILE"; until [ -e "$FILE.seen" ]; do sleep 0.1; done) ' +
        '--mode test > /dev/null 2>&1 & found=""; until [ -n "$found" ]; do ' +
        'found=$(find /proc/[0-9]*/fd -lname "$TMPDIR/decision-ledger-*" 2> /dev/null || true); ' +
        'done; stat -L -c %a $found; touch "$FILE.seen"; wait',
    );
    expect(new Set(stdout.trim().split('\n'))).toEqual(new Set(['600']));
  });
});

function startShell(script: string) {
  const stop = new AbortController();
  const ended = runShell(script, { ...environment, FILE: file }, { signal: stop.signal }).catch(
    () => undefined,
  );
  return {
    ended,
    stop: () => stop.abort(),
    untilStarted: () => new Promise((resolve) => setTimeout(resolve, 1500)),
  };
}

describe('Missing ledger choice', () => {
  it.each([
    ['import', file],
    ['key', 'list'],
    ['key', 'create', '--name', 'a', '--permissions', 'read'],
    ['jobs', 'dead'],
    ['attribution', 'replay'],
    ['liability', 'recalculate'],
    ['settings', 'get'],
    ['settings', 'set', '{}'],
    ['links', 'review'],
    ['export', '--type', 'forensic', '--start', '2026-01-01', '--end', '2026-12-31'],
  ])('The command without a ledger is refused: %s %s', async (...args) => {
    writeFresh();
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--mode live or --mode test');
    expect(stderr).toContain('LEDGER_KEY');
  });

  it('A refused command records nothing', async () => {
    expect(await lengthOf('live')).toBe(0);
  });
});

describe('Ledger keys', () => {
  it('A key selects organisation and ledger, from LEDGER_KEY or a file', async () => {
    const { code } = await run('org', 'create', 'other');
    expect(code).toBe(0);
    const { test } = readKeys(dataDir);
    writeFresh();
    const before = await lengthOf('test');
    const first = await shell('decision-ledger import "$FILE" --json', { LEDGER_KEY: test });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(first.stdout)).toEqual(ALL);
    expect(await lengthOf('test')).toBe(before + 2);
    const keyFile = join(folder, 'key');
    writeFileSync(keyFile, `${test}\n`, { mode: 0o600 });
    const again = await run('import', file, '--key-file', keyFile, '--json');
    expect(JSON.parse(again.stdout)).toEqual({
      ...ALL,
      imported: 0,
      decisions: 0,
      financial_events: 0,
      already: 3,
    });
    const piped = await shell('echo "$KEY" | decision-ledger key list --key-file - --json', {
      KEY: test,
    });
    expect(JSON.parse(piped.stdout).keys).toHaveLength(1);
  });

  it('A key that contradicts --mode or --org is refused', async () => {
    const LEDGER_KEY = readKeys(dataDir).test;
    const mode = await shell('decision-ledger key list --mode live', { LEDGER_KEY });
    expect(mode.code).toBe(2);
    expect(mode.stderr).toContain('belongs to the test ledger, but --mode is live');
    const org = await shell('decision-ledger key list --org other', { LEDGER_KEY });
    expect(org.code).toBe(2);
    expect(org.stderr).toContain('belongs to another organisation (default)');
    const agreed = await shell('decision-ledger key list --mode test --org default', {
      LEDGER_KEY,
    });
    expect(agreed.code).toBe(0);
  });

  it('A mistyped or revoked key is refused with the reason and without repeating it', async () => {
    const ledger = ['--org', 'default', '--mode', 'test'];
    const create = ['key', 'create', ...ledger, '--name', 'x', '--permissions', 'ingest', '--json'];
    const revoked = JSON.parse((await run(...create)).stdout);
    await run('key', 'revoke', revoked.key_id, ...ledger);
    const cases = [
      [readKeys(dataDir).test.slice(0, -1), 'is not an API key'],
      [revoked.key, 'is revoked'],
    ];
    writeFresh();
    for (const [LEDGER_KEY = '', problem = ''] of cases) {
      const refused = await shell('decision-ledger import "$FILE"', { LEDGER_KEY });
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(`the key in LEDGER_KEY ${problem}`);
      expect(refused.stderr).not.toContain(LEDGER_KEY);
    }
  });

  it('A key of another installation is unknown', async () => {
    const elsewhere = { LEDGER_DATA_DIR: join(folder, 'elsewhere') };
    const { stdout } = await runCommand(['org', 'create', 'far', '--json'], elsewhere);
    const { live } = JSON.parse(stdout);
    const refused = await shell('decision-ledger key list', { LEDGER_KEY: live });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is unknown: it belongs');
  });
});

describe('Options --help and --version', () => {
  it.each([['--help'], ['--version'], ['import', '--help']])(
    'The options load only the declarations of commands and none of their code: %s',
    async (...args) => {
      const coverage = mkdtempSync(join(folder, 'coverage-'));
      const running = startCommand(args, { ...environment, NODE_V8_COVERAGE: coverage });
      expect((await running.ended).code).toBe(0);
      const [report = ''] = readdirSync(coverage);
      const { result } = JSON.parse(readFileSync(join(coverage, report), 'utf8'));
      const joined = `${ROOT}/packages/server/dist/run/`;
      const files = result
        .map(({ url }: { url: string }) => url)
        .filter((url: string) => url.startsWith(`file://${joined}`))
        .map((url: string) => url.slice('file://'.length));
      const isLibrary = (file: string) => !existsSync(`${file}.map`);
      const libraryBytes = files
        .filter(isLibrary)
        .reduce((sum: number, file: string) => sum + statSync(file).size, 0);
      expect(libraryBytes, 'commander, and no other library').toBeLessThan(160 * 1024);
      // The source maps show which modules were bundled into a file.
      const own = files.filter((file: string) => !isLibrary(file));
      const loaded = own.flatMap((file: string) =>
        JSON.parse(readFileSync(`${file}.map`, 'utf8')).sources.map((source: string) =>
          relative(ROOT, resolve(joined, source)),
        ),
      );
      expect(loaded).toContain('packages/server/dist/cli/program.js');
      const allowed =
        /^(packages\/(contract\/dist\/permissions|embedded\/dist\/open-files)\.js|packages\/server\/dist\/(main|version|cli\/(program|options|groups\/[a-z-]+))\.js)/;
      expect(loaded.filter((path: string) => !allowed.test(path))).toEqual([]);
    },
  );
});
