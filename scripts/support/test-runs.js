import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ensureProgram } from './ensure-program.js';
import { newestNode } from './newest-node.js';
import { run, runQuietly } from './run.js';
import { outcome } from './totals.js';
import { readReport } from './vitest-report.js';

const build = check('build', 'Build', 'node', 'packages/server/bin/build.js');

const checks = [
  build,
  // The longest step first, because the others run concurrently.
  quietCheck('types', 'Types of tests and tools', 'npm', 'run', '--silent', 'types'),
  quietCheck('lint', 'Format and lint', 'npm', 'run', '--silent', 'lint'),
  quietCheck('imports', 'Direction of imports', 'npm', 'run', '--silent', 'imports'),
  quietCheck('unused', 'Unused code and dependencies', 'npm', 'run', '--silent', 'unused'),
  quietCheck('docs', 'Documentation against the code', 'node', 'scripts/docs-parity.js'),
  quietCheck('client-types', 'Types of the client', 'node', 'scripts/client-types.js'),
  quietCheck('client-package', 'Package of the client', 'node', 'scripts/client-package.js'),
];

const full = [
  // Their figures do not count here, so they run concurrently. The longest is the first.
  quietCheck('bench', 'Benchmarks, one short round', 'node', 'benchmarks/run.js', '--smoke'),
  quietCheck('eval', 'Evaluation of attribution, small', 'node', 'evaluation/run.js', '--smoke'),
  quietCheck(
    'eval-experiments',
    'Evaluation of experiments, small',
    'node',
    'evaluation/experiments/run.js',
    '--smoke',
  ),
  quietCheck(
    'eval-liability',
    'Evaluation of liability, small',
    'node',
    'evaluation/liability/run.js',
    '--smoke',
  ),
  { name: 'newest', title: 'Tests on the newest Node.js', execute: testNewest },
];

/** The steps of each run, in order. */
export const runs = {
  fast: [...checks, ...suites('fast')],
  rest: [build, ...suites('rest'), ...full],
  all: [...checks, ...suites('all'), ...full],
  long: [
    build,
    tests('long', 'Large ledgers', { needs: ['postgresql'] }),
    check('eval', 'Evaluation of attribution', 'node', 'evaluation/run.js'),
    check('eval-experiments', 'Evaluation of experiments', 'node', 'evaluation/experiments/run.js'),
    check('eval-liability', 'Evaluation of liability', 'node', 'evaluation/liability/run.js'),
    check('bench', 'Benchmarks', 'node', 'benchmarks/run.js'),
  ],
};

/** @param {'fast' | 'rest' | 'all'} speed the selection of tests, see vitest.config.ts */
function suites(speed) {
  const hasPage = speed !== 'fast';
  return [
    tests('unit', 'Unit tests', { speed }),
    // If PostgreSQL is available, the quick run executes the tests for both engines on it.
    tests('int', 'Tests on the embedded engine', { speed, needs: ['hledger-web', 'postgresql'] }),
    tests('pg', 'Tests on a PostgreSQL server', { speed, needs: ['postgresql'] }),
    tests('e2e', 'End-to-end tests', { speed, needs: hasPage ? ['chromium'] : [] }),
  ];
}

/** A program that passes or fails as a whole, counts as one test and prints nothing until its end. */
function quietCheck(name, title, command, ...args) {
  const execute = async () => {
    const { code, output } = await runQuietly(command, args);
    return { ...verdict(code), output };
  };
  return { name, title, execute, isQuiet: true };
}

/** A check with visible output that runs alone. */
function check(name, title, command, ...args) {
  return { name, title, execute: async () => verdict(await run(command, args)) };
}

function verdict(code) {
  return code === 0 ? outcome({ passed: 1 }) : outcome({ failures: [`ended with code ${code}`] });
}

/** The projects whose names have this suffix, such as `pg` and `alone.pg`. */
function tests(name, title, { speed = 'all', needs = [] } = {}) {
  const execute = async () => {
    for (const program of needs) await ensureProgram(program);
    return vitest(['--project', `*${name}`], { TEST_SPEED: speed });
  };
  return { name, title, execute };
}

async function vitest(args, environment, node = 'node') {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-test-'));
  try {
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const env = { ...process.env, ...environment };
    const program = 'node_modules/vitest/vitest.mjs';
    const code = await run(node, [program, 'run', ...args, ...reporters], { env });
    return outcome(readReport(report, code));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The unit tests, and of the others what may differ between releases: see vitest.config.ts. */
async function testNewest() {
  const { folder, reason } = await newestNode();
  if (folder === undefined) {
    process.stdout.write(`${reason}\n`);
    return outcome({ skipped: 1 });
  }
  const PATH = `${folder}:${process.env.PATH}`;
  const projects = ['unit', 'int', 'e2e'].flatMap((name) => ['--project', name]);
  return vitest(projects, { PATH, TEST_SPEED: 'newest' }, join(folder, 'node'));
}
