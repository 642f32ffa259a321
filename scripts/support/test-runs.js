import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { findCitus } from '../../packages/server/test/support/citus-install.js';
import { newestNode } from './newest-node.js';
import { POSTGRES_MAJORS, postgresRelease } from './postgres-releases.js';
import { testPython } from './python-tests.js';
import { outcome } from './totals.js';
import { readReport } from './vitest-report.js';

const build = check('build', 'Build', 'node', 'packages/server/bin/build.js');

/** Each takes seconds, and a mistake shows in them first. */
const checks = [
  sharedCheck('types', 'Types of tests and tools', 'npm', 'run', '--silent', 'types'),
  sharedCheck('lint', 'Format and lint', 'npm', 'run', '--silent', 'lint'),
  sharedCheck('imports', 'Direction of imports', 'npm', 'run', '--silent', 'imports'),
  sharedCheck('unused', 'Unused code and dependencies', 'npm', 'run', '--silent', 'unused'),
  sharedCheck('docs', 'Documentation against the code', 'node', 'scripts/docs-parity.js'),
  sharedCheck('version', 'One version everywhere', 'node', 'scripts/release-version.js'),
  sharedCheck('budgets', 'Size of each part', 'node', 'scripts/budgets.js'),
  sharedCheck('client-types', 'Types of the client', 'node', 'scripts/client-types.js'),
  sharedCheck('client-package', 'Package of the client', 'node', 'scripts/client-package.js'),
  sharedCheck(
    'production',
    'Licences and size of what is installed',
    'node',
    'scripts/production-packages.js',
  ),
];

/** Their figures do not count here, so others may run beside them. */
const evaluations = [
  sharedCheck('bench', 'Benchmarks, one short round', 'node', 'benchmarks/run.js', '--smoke'),
  sharedCheck('eval', 'Evaluation of attribution, small', 'node', 'evaluation/run.js', '--smoke'),
  sharedCheck(
    'eval-experiments',
    'Evaluation of experiments, small',
    'node',
    'evaluation/experiments/run.js',
    '--smoke',
  ),
  sharedCheck(
    'eval-liability',
    'Evaluation of liability, small',
    'node',
    'evaluation/liability/run.js',
    '--smoke',
  ),
];

const newest = onNewest('Tests on the newest Node.js', 'newest', ['unit', 'int', 'e2e']);
const newestMore = onNewest('More tests on the newest Node.js', 'newestMore', ['unit', 'int']);

/** Four times as long as in the rest. */
const hostileLoad = {
  ...{ name: 'hostile', title: 'A minute of hostile load', needs: ['chromium'], isShared: false },
  execute: (start) => vitest(start, ['alone.e2e'], { TEST_SPEED: 'rest', HOSTILE_SECONDS: '60' }),
};

/** Skipped without an installation of Citus. */
const citus = {
  ...{ name: 'citus', title: 'Tests on a cluster of Citus', needs: [], isShared: false },
  async execute(start) {
    const found = findCitus();
    if ('reason' in found) {
      process.stdout.write(`SKIPPED: ${found.reason}.\n`);
      return outcome({ skipped: 1 });
    }
    return vitest(start, ['citus'], { TEST_SPEED: 'all' });
  },
};

/**
 * The steps of each run, in order. Of those that share the machine, the longest is first, then come those that keep one
 * core busy: whatever step is the last one uses both.
 */
export const runs = {
  fast: [build, ...checks, ...suites('fast'), endToEnd('fast')],
  rest: [
    ...[build, endToEnd('rest'), ...evaluations, python('rest'), newest],
    ...[...suites('rest'), alone('rest')],
  ],
  all: [
    ...[build, ...checks, endToEnd('all'), ...evaluations, python('rest'), newest],
    ...[...suites('all'), alone('all')],
  ],
  long: [
    build,
    tests('long', 'Large ledgers', {
      speed: 'all',
      projects: ['long'],
      needs: ['postgresql', 'chromium'],
    }),
    tests('elsewhere', 'Suites of one engine on the other one, and what other runs have in part', {
      speed: 'elsewhere',
      projects: ['int', 'unit', 'e2e'],
      needs: ['postgresql'],
    }),
    ...variants(),
    citus,
    hostileLoad,
    newestMore,
    python('long'),
    check('eval', 'Evaluation of attribution', 'node', 'evaluation/run.js'),
    check('eval-experiments', 'Evaluation of experiments', 'node', 'evaluation/experiments/run.js'),
    check('eval-liability', 'Evaluation of liability', 'node', 'evaluation/liability/run.js'),
    check(
      'eval-money',
      'Evaluation of money that several sources report',
      ...['node', 'evaluation/money/run.js', '--movements', '20000'],
    ),
    check('bench', 'Benchmarks', 'node', 'benchmarks/run.js'),
    check(
      'bench-on-request',
      'Long benchmarks, one short round',
      ...['node', 'benchmarks/run.js', '--smoke', '--only', 'growth,steady'],
    ),
  ],
};

/** @param {'fast' | 'rest' | 'all'} speed the selection of tests, see vitest.config.ts */
function suites(speed) {
  // If PostgreSQL is available, the quick run executes the tests for both engines on it.
  const needs = ['hledger-web', 'postgresql', 'varnish'];
  const server = speed === 'fast' ? ['postgresql'] : ['postgresql', 'pgbouncer'];
  return [
    tests('int', 'Tests on the embedded engine', { speed, needs, isShared: true }),
    tests('pg', 'Tests on a PostgreSQL server', { speed, needs: server, isShared: true }),
    tests('unit', 'Unit tests', { speed, isShared: true }),
  ];
}

function endToEnd(speed) {
  const needs = speed === 'fast' ? [] : ['chromium'];
  return tests('e2e', 'End-to-end tests', { speed, needs, isShared: true });
}

/** The tests on a server of other kinds than the one of all other runs. */
function variants() {
  const variant = (name, title, execute) => ({
    ...{ name: `pg-${name}`, title: `Tests on a PostgreSQL server, ${title}`, execute },
    ...{ needs: ['postgresql', 'pgbouncer'], isShared: false },
  });
  const everything = (environment) => (start) =>
    vitest(start, ['pg'], { TEST_SPEED: 'all', ...environment });
  return [
    variant('schema', 'in a schema', everything({ LEDGER_TEST_SCHEMA: 'ledger' })),
    variant('pooler', 'behind a pooler', everything({ LEDGER_TEST_POOLER: 'transaction' })),
    ...POSTGRES_MAJORS.map((major) =>
      variant(major, `release ${major}`, (start) => testRelease(start, major)),
    ),
  ];
}

async function testRelease(start, major) {
  const { folder, reason } = await postgresRelease(major);
  if (folder === undefined) {
    process.stdout.write(`${reason}\n`);
    return outcome({ skipped: 1 });
  }
  return vitest(start, ['pg'], { TEST_SPEED: 'all', LEDGER_TEST_POSTGRES: folder });
}

/** Those that hold the service to a time. */
function alone(speed) {
  const projects = ['alone.pg', 'alone.e2e'];
  return tests('alone', 'Tests held to a time', { speed, projects, needs: ['postgresql'] });
}

/** @param {'rest' | 'long'} run the long one has every framework, and 100,000 decisions */
function python(run) {
  const execute = (start) => testPython(start, run);
  return {
    name: 'python',
    title: 'Tests of the Python client',
    needs: [],
    isShared: run === 'rest',
    execute,
  };
}

/** A program that passes or fails as a whole, and counts as one test. */
function check(name, title, command, ...args) {
  const execute = async (start) => verdict(await start(command, args));
  return { name, title, needs: [], execute };
}

function sharedCheck(...given) {
  return { ...check(...given), isShared: true };
}

function verdict(code) {
  return code === 0 ? outcome({ passed: 1 }) : outcome({ failures: [`ended with code ${code}`] });
}

function tests(name, title, { speed, projects = [name], needs = [], isShared = false }) {
  const execute = (start) => vitest(start, projects, { TEST_SPEED: speed });
  return { name, title, needs, isShared, execute };
}

async function vitest(start, projects, environment, node = 'node') {
  const folder = mkdtempSync(join(tmpdir(), 'decision-ledger-test-'));
  try {
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const env = { ...process.env, ...environment };
    const program = 'node_modules/vitest/vitest.mjs';
    const chosen = projects.flatMap((name) => ['--project', name]);
    const code = await start(node, [program, 'run', ...chosen, ...reporters], { env });
    return outcome(readReport(report, code));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What may differ between releases: see vitest.config.ts. */
function onNewest(title, speed, projects) {
  const execute = async (start) => {
    const { folder, reason } = await newestNode();
    if (folder === undefined) {
      process.stdout.write(`${reason}\n`);
      return outcome({ skipped: 1 });
    }
    const environment = { PATH: `${folder}:${process.env.PATH}`, TEST_SPEED: speed };
    return vitest(start, projects, environment, join(folder, 'node'));
  };
  return { name: 'newest', title, needs: [], isShared: true, execute };
}
