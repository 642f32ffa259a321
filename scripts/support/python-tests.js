import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { outcome } from './totals.js';

const FOLDER = 'clients/python';
const IS_NEW_ENOUGH = 'import sys, venv; sys.exit(sys.version_info < (3, 10))';

/** What each run of the tests of the Python client checks. */
const RUNS = {
  /** The hooks of LangChain and of the OpenAI Agents SDK are left to the long run: their packages are large. */
  rest: {
    requirements: 'requirements.txt',
    mypy: ['--exclude', '(langchain|openai_agents)\\.py$'],
    pytest: [],
  },
  long: { requirements: 'frameworks.txt', mypy: [], pytest: ['-m', '', '-s'] },
};

/**
 * Installs the Python client in an environment of its own, and runs its checks and tests there.
 * @param {keyof typeof RUNS} name
 */
export async function testPython(start, name) {
  const home = mkdtempSync(join(tmpdir(), 'decision-ledger-python-'));
  try {
    const reason = await prepare(start, home, RUNS[name].requirements);
    if (reason === undefined) return await runAll(toolsOf(start, home), home, RUNS[name]);
    await start('echo', [`SKIPPED: the tests of the Python client, because ${reason}.`]);
    return outcome({ skipped: 1 });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Makes the environment. Resolves to the reason why that is not possible here. */
async function prepare(start, home, requirements) {
  if (spawnSync('python3', ['-c', IS_NEW_ENOUGH]).status !== 0) {
    return 'there is no Python 3.10 or newer with venv';
  }
  const path = join(home, 'venv');
  if ((await start('python3', ['-m', 'venv', path])) !== 0) return 'venv has no pip';
  const list = join(FOLDER, 'tests', requirements);
  const isInstalled = (await pip(start, home, '-r', list)) === 0;
  return isInstalled ? undefined : 'pip cannot install the packages that they need';
}

function pip(start, home, ...args) {
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
  // Most modules are never imported: what is, is compiled then.
  const install = ['-m', 'pip', 'install', '--no-compile', ...quiet];
  return start(join(home, 'venv/bin/python'), [...install, ...args]);
}

/** Programs of the environment. They leave nothing in the repository. */
function toolsOf(start, home) {
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
  const env = { ...process.env, PATH, PYTHONPYCACHEPREFIX: join(home, 'bytecode') };
  const run = (tool, ...args) => start(join(home, 'venv/bin', tool), args, { cwd: FOLDER, env });
  return { run, install: () => pip(start, home, '--no-deps', '--no-build-isolation', FOLDER) };
}

async function runAll({ run, install }, home, { mypy, pytest }) {
  const ruff = ['--no-cache', '--quiet', '--config', 'pyproject.toml', '.', '../../examples'];
  const checks = [
    ['the package cannot be installed', () => install()],
    ['ruff check failed', () => run('ruff', 'check', ...ruff)],
    ['ruff format failed', () => run('ruff', 'format', '--check', ...ruff)],
    ['mypy failed', () => run('mypy', '--cache-dir', join(home, 'mypy'), ...mypy)],
  ];
  const failures = [];
  for (const [failure, check] of checks) if ((await check()) !== 0) failures.push(failure);
  const report = join(home, 'report.xml');
  const folders = ['--basetemp', join(home, 'tmp'), '-p', 'no:cacheprovider'];
  const code = await run('pytest', '-q', `--junitxml=${report}`, ...folders, ...pytest);
  const tests = readReport(report, code);
  return outcome({
    passed: checks.length - failures.length + tests.passed,
    skipped: tests.skipped,
    failures: [...failures, ...tests.failures],
  });
}

/** Reads a report in the format of JUnit. */
function readReport(path, code) {
  const none = { passed: 0, skipped: 0, failures: [`pytest ended with code ${code}`] };
  const text = read(path);
  if (text === undefined) return none;
  const cases = text.match(/<testcase [^>]*?(?:\/>|>[\s\S]*?<\/testcase>)/g) ?? [];
  const failed = cases.filter((one) => /<(failure|error)[ >]/.test(one));
  const skipped = cases.filter((one) => one.includes('<skipped')).length;
  const failures = failed.map((one) => / name="([^"]*)"/.exec(one)?.[1] ?? 'a test without a name');
  if (code !== 0 && failures.length === 0) return none;
  return { passed: cases.length - failed.length - skipped, skipped, failures };
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
