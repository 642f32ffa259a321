import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isThorough } from '../../../proof/test/support/runs.js';
import { ROOT } from '../support/paths.js';

const SHARED = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json'];
const BIN = 'packages/server/bin/decision-ledger.js';

const ENGINES = ['amounts', 'attribution', 'experiments', 'liability', 'numerics'];
const PROGRAMS = ['demo', 'mcp', 'watch'];
const PACKAGES = [
  ...['proof', 'contract', ...ENGINES, 'client', 'embedded'],
  ...[...PROGRAMS, 'server', 'verifier'],
];

/**
 * A repository of the same layout with a few small sources, so that a build takes a second or two.
 */
const SOURCES = {
  'packages/proof/src/hash.ts': "export const engine: string = 'of Node.js';\n",
  'packages/verifier/src/page/hash.ts': "export const engine: string = 'of a browser';\n",
  'packages/verifier/src/page/main.ts':
    "import { engine } from '@decision-ledger/proof/hash';\n" +
    "document.title = engine + '</script>';\n",
  'packages/verifier/src/page/style.css': 'p { color: red; }\n',
  'packages/verifier/src/page/verify.html':
    '<meta content="default-src \'none\'"><style></style><script></script>\n',
  'packages/proof/src/entry.ts': 'export const answer: number = 41;\n',
  'packages/embedded/src/engine.ts': "export const engine: string = 'embedded';\n",
  'packages/client/src/stream.ts': "export const stream: string = 'of events';\n",
  'packages/contract/src/currency.ts': "export const unit: string = 'points';\n",
  ...Object.fromEntries(
    [...ENGINES, ...PROGRAMS].map((name) => [`packages/${name}/src/main.ts`, 'export {};\n']),
  ),
  'packages/server/src/say.ts':
    "import { answer } from '@decision-ledger/proof/entry';\n" +
    "import { unit } from '@decision-ledger/contract/currency';\n" +
    'export const say = (): void => console.log(answer, unit);\n',
  'packages/server/src/main.ts': "import { say } from './say.js';\n\nsay();\n",
};

let repository: string;
/** What a build has made of these sources: to copy it takes a tenth of a build. */
let built: string | undefined;
let running: ChildProcess[];

beforeEach(() => {
  running = [];
  repository = realpathSync(mkdtempSync(join(tmpdir(), 'decision-ledger-build-')));
  const folders = PACKAGES.map((name) => `packages/${name}`);
  const manifests = folders.flatMap((folder) => [
    `${folder}/package.json`,
    `${folder}/tsconfig.json`,
  ]);
  for (const path of [...SHARED, ...manifests, 'packages/server/bin']) {
    cpSync(join(ROOT, path), join(repository, path), { recursive: true });
  }
  for (const [path, text] of Object.entries(SOURCES)) write(path, text);
  linkModules(readdirSync(join(ROOT, 'node_modules')));
});

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(repository, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

afterAll(() => {
  if (built !== undefined) rmSync(built, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
}

function linkModules(names: string[]): void {
  const modules = join(repository, 'node_modules');
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(join(modules, '@decision-ledger'), { recursive: true });
  for (const name of names.filter((each) => each !== '@decision-ledger')) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const name of PACKAGES) {
    symlinkSync(join(repository, 'packages', name), join(modules, '@decision-ledger', name));
  }
}

interface Result {
  code: number | null;
  out: string;
  err: string;
}

function launch(): { child: ChildProcess; result: Promise<Result> } {
  const child = spawn(process.execPath, [join(repository, BIN)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  const result = new Promise<Result>((done) => {
    child.on('close', (code) => done({ code, out, err }));
  });
  return { child, result };
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within a minute: ${condition}`);
    await sleep(5);
  }
}

const start = (): Promise<Result> => launch().result;

/** For the tests of what comes after a first start. */
async function startedBefore(): Promise<void> {
  const made = ['packages', '.build'];
  if (built !== undefined) {
    for (const path of made) copy(join(built, path), join(repository, path));
    return;
  }
  expect(await start()).toEqual(FIRST);
  built = mkdtempSync(join(tmpdir(), 'decision-ledger-built-'));
  for (const path of made) copy(join(repository, path), join(built, path));
}

function copy(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

const compiling = (): boolean => inWork().some((name) => name.startsWith('tree-'));
/** Where a start notes what it has seen of the sources. */
const SEEN = 'seen';
const inWork = (): string[] =>
  existsSync(join(repository, '.build'))
    ? readdirSync(join(repository, '.build')).filter((name) => name !== SEEN)
    : [];

const FIRST: Result = { code: 0, out: '41 points\n', err: 'Building (first start)…\n' };
const QUIET: Result = { code: 0, out: '41 points\n', err: '' };

describe('First start', () => {
  it('The first start builds, and the next one does not', async () => {
    expect(await start()).toEqual(FIRST);
    expect(await start()).toEqual(QUIET);
    expect(inWork()).toEqual(['tree']);
  });

  it('Sources that were written since a start are read again, whatever their size and time', async () => {
    expect(await start()).toEqual(FIRST);
    while (!existsSync(join(repository, '.build', SEEN))) expect(await start()).toEqual(QUIET);
    const path = join(repository, 'packages/proof/src/entry.ts');
    const { atime, mtime } = statSync(path);
    write('packages/proof/src/entry.ts', 'export const answer: number = 42;\n');
    utimesSync(path, atime, mtime);
    expect(await start()).toMatchObject({
      out: '42 points\n',
      err: 'Building (sources changed)…\n',
    });
  });

  it('Concurrent first starts build once', async () => {
    const results = await Promise.all([1, 2, 3, 4, 5].map(start));
    expect(results.map(({ code, out }) => ({ code, out }))).toEqual(
      results.map(() => ({ code: 0, out: '41 points\n' })),
    );
    expect(results.filter(({ err }) => err.includes('Building'))).toHaveLength(1);
  });

  it('A waiting start names the process that builds', async () => {
    const holder = launch();
    await until(compiling);
    holder.child.kill('SIGSTOP');
    const waiting = launch();
    await sleep(2000);
    holder.child.kill('SIGCONT');
    expect(await holder.result).toEqual(FIRST);
    const notice = `Waiting for process ${holder.child.pid}, which is building…\n`;
    expect(await waiting.result).toEqual({ ...QUIET, err: notice });
  });
});

describe('Killed build', () => {
  it.for(isThorough ? [0, 150, 300, 450, 600, 900] : [0, 300, 600])(
    'A build killed after %i ms neither blocks nor misleads the next start',
    async (delay) => {
      const victim = launch();
      await until(() => existsSync(join(repository, '.build')));
      await sleep(delay);
      victim.child.kill('SIGKILL');
      await victim.result;
      expect(await start()).toMatchObject({ code: 0, out: '41 points\n' });
      expect(await start()).toEqual(QUIET);
    },
  );

  it('A stale lock is not kept by a later process with the same id', async () => {
    mkdirSync(join(repository, '.build'));
    symlinkSync(`${process.pid}-1`, join(repository, '.build/lock'));
    expect(await start()).toEqual(FIRST);
  });

  it('A compiler left running does not keep the next start from building', async () => {
    const tree = join(repository, '.build/tree-1-gone');
    mkdirSync(tree, { recursive: true });
    const writes =
      'let n = 0; for (;;) require("fs").writeFileSync(process.argv[1] + "/" + (n++ % 100), "");';
    running.push(spawn(process.execPath, ['-e', writes, tree], { stdio: 'ignore' }));
    await until(() => readdirSync(tree).length > 0);
    expect(await start()).toEqual(FIRST);
  });

  it('A stopped build cleans up', async () => {
    const victim = launch();
    await until(() =>
      inWork().some((name) => existsSync(join(repository, '.build', name, 'packages/proof/dist'))),
    );
    victim.child.kill('SIGTERM');
    expect(await victim.result).toMatchObject({ code: 1 });
    expect(inWork()).toEqual([]);
  });
});

describe('Later starts', () => {
  beforeEach(startedBefore);

  it('A changed source causes a new build', async () => {
    write('packages/proof/src/entry.ts', 'export const answer: number = 42;\n');
    const result = { code: 0, out: '42 points\n', err: 'Building (sources changed)…\n' };
    expect(await start()).toEqual(result);
    expect(await start()).toEqual({ ...result, err: '' });
  });

  it('The output of a removed source is removed', async () => {
    write('packages/proof/src/extra.ts', 'export const extra = 1;\n');
    await start();
    expect(existsSync(join(repository, 'packages/proof/dist/extra.js'))).toBe(true);
    rmSync(join(repository, 'packages/proof/src/extra.ts'));
    expect(await start()).toMatchObject({ code: 0 });
    expect(existsSync(join(repository, 'packages/proof/dist/extra.js'))).toBe(false);
  });

  it('The verifier page is built into one file, with hashes that a browser can compute', async () => {
    expect(await start()).toMatchObject({ code: 0 });
    const page = readFileSync(join(repository, 'packages/verifier/dist/verify.html'), 'utf8');
    expect(page).toContain('of a browser');
    expect(page).not.toContain('of Node.js');
    const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(page) ?? [];
    expect(script).not.toContain('</script');
    const digest = createHash('sha256').update(script).digest('base64');
    expect(page).toContain(`script-src 'sha256-${digest}'`);
  });

  it("A missing output or another compiler's output causes a new build", async () => {
    rmSync(join(repository, 'packages/contract/dist'), { recursive: true });
    expect(await start()).toEqual(FIRST);
    write('packages/server/dist/.tsbuildinfo', '{}');
    write('packages/server/dist/say.js', 'export const say = () => console.log("foreign");\n');
    expect(await start()).toMatchObject({ code: 0, out: '41 points\n' });
  });

  it('A failing build reports its errors and keeps the last good build', async () => {
    write('packages/proof/src/entry.ts', "export const answer: number = '42';\n");
    const { code, out, err } = await start();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('packages/proof/src/entry.ts(1,14): error TS2322');
    const kept = readFileSync(join(repository, 'packages/proof/dist/entry.js'), 'utf8');
    expect(kept).toContain('answer = 41');
  });
});

describe('Missing compiler', () => {
  const production = readdirSync(join(ROOT, 'node_modules')).filter(
    (name) => name !== '@typescript',
  );

  it('A finished build runs without the compiler', async () => {
    await startedBefore();
    linkModules(production);
    expect(await start()).toEqual(QUIET);
  });

  it('A start without a build or compiler names the remedy', async () => {
    linkModules(production);
    const { code, err } = await start();
    expect(code).toBe(1);
    expect(err).toContain('the TypeScript compiler is not installed');
    expect(err).toContain('npm ci');
  });

  it('A published package without sources runs', async () => {
    await startedBefore();
    linkModules(production);
    rmSync(join(repository, 'packages/server/tsconfig.json'));
    write('packages/server/src/say.ts', 'not the source of this build');
    expect(await start()).toEqual(QUIET);
  });
});

describe('Bundled command line', () => {
  it('Stack traces lead back to the module, and each library is bundled with its licence', async () => {
    write(
      'packages/server/src/say.ts',
      "import sql from 'sql-template-tag';\n" +
        'export const say = (): void => {\n  throw new Error(sql`thrown`.text);\n};\n',
    );
    const { code, err } = await start();
    expect(code).toBe(1);
    expect(err).toContain('Error: thrown');
    expect(err).toMatch(/at say \(.*packages\/server\/dist\/say\.js:3:\d+\)/);
    const run = join(repository, 'packages/server/dist/run');
    expect(readFileSync(join(run, 'LICENCES.txt'), 'utf8')).toMatch(/^sql-template-tag \d/);
  });
});

describe('Database for first starts', () => {
  it('A build succeeds although the database for first starts cannot be made', async () => {
    write('packages/server/src/prepare-database.ts', "throw new Error('no room');\n");
    for (const name of ['prepared-database', 'storage', 'service']) {
      write(`packages/server/src/${name}.ts`, 'export {};\n');
    }
    write('packages/server/src/platform/clock.ts', 'export {};\n');
    write('packages/server/migrations/0001_ledger.sql', 'select 1;\n');
    const { code, out, err } = await start();
    expect({ code, out }).toEqual({ code: 0, out: '41 points\n' });
    expect(err).toContain('The database for first starts could not be created');
    expect(err).toContain('no room');
    expect(await start()).toEqual(QUIET);
  });
});
