// Everything that must hold before a change is merged: `npm test`, or a part of it with `--only unit,int`.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ensureProgram } from './support/ensure-program.js';
import { run } from './support/run.js';
import { readReport } from './support/vitest-report.js';

process.chdir(join(import.meta.dirname, '..'));
const reports = mkdtempSync(join(tmpdir(), 'decision-ledger-test-'));

const STEPS = [
  check('build', 'Build', 'node', 'packages/server/bin/build.js'),
  check('lint', 'Format and lint', 'npm', 'run', '--silent', 'lint'),
  check('types', 'Types of tests and tools', 'npm', 'run', '--silent', 'types'),
  check('imports', 'Direction of imports', 'npm', 'run', '--silent', 'imports'),
  check('unused', 'Unused code and dependencies', 'npm', 'run', '--silent', 'unused'),
  tests('unit', 'Unit tests'),
  tests('int', 'Tests on the embedded engine', () => ensureProgram('hledger-web')),
  tests('pg', 'Tests on a PostgreSQL server', () => ensureProgram('postgresql')),
  tests('e2e', 'End-to-end tests', () => ensureProgram('chromium')),
  script('docs', 'Documentation against the code', 'scripts/docs-parity.js'),
  script('eval', 'Evaluation of attribution, small', 'evaluation/run.js', '--smoke'),
  script('bench', 'Benchmarks, one short round', 'benchmarks/run.js', '--smoke'),
];

try {
  process.exitCode = await main(process.argv.slice(2));
} finally {
  rmSync(reports, { recursive: true, force: true });
}

async function main(args) {
  const steps = chooseSteps(args);
  if (steps === undefined) return 2;
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  for (const step of steps) {
    const started = performance.now();
    process.stdout.write(`\n── ${step.title} (${step.name}) ──\n`);
    const result = await step.execute();
    for (const kind of Object.keys(total)) total[kind] += result[kind];
    for (const failure of result.failures) failures.push(`${step.name}: ${failure}`);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(`── ${step.name}: ${describe(result)} in ${seconds} s ──\n`);
    if (step.name === 'build' && result.failed > 0) break;
  }
  conclude(total, failures);
  return failures.length > 0 ? 1 : 0;
}

function chooseSteps(args) {
  if (args.length === 0) return STEPS;
  const [flag, list = ''] = args[0].startsWith('--only=') ? args[0].split('=') : args;
  const names = list.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (flag !== '--only' || names.length === 0 || unknown.length > 0) {
    const known = STEPS.map((step) => step.name).join(',');
    process.stderr.write(`usage: npm test [-- --only ${known}]\n`);
    return undefined;
  }
  return STEPS.filter((step) => names.includes(step.name));
}

/** A program that passes or fails as a whole, and counts as one test. */
function check(name, title, command, ...args) {
  const execute = async () => {
    const code = await run(command, args);
    return code === 0 ? outcome({ passed: 1 }) : outcome({ failures: [`ended with code ${code}`] });
  };
  return { name, title, execute };
}

/** A check that is part of the run as soon as its script exists. */
function script(name, title, path, ...args) {
  const step = check(name, title, 'node', path, ...args);
  const skip = () => {
    process.stdout.write(`SKIPPED: there is no ${path}.\n`);
    return outcome({ skipped: 1 });
  };
  return existsSync(path) ? step : { ...step, execute: skip };
}

function tests(name, title, prepare = () => undefined) {
  const execute = async () => {
    await prepare();
    const report = join(reports, `${name}.json`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const vitest = 'node_modules/vitest/vitest.mjs';
    const code = await run('node', [vitest, 'run', '--project', `*${name}`, ...reporters]);
    return outcome(readReport(report, code));
  };
  return { name, title, execute };
}

function outcome({ passed = 0, skipped = 0, failures = [] }) {
  return { passed, skipped, failures, failed: failures.length };
}

function conclude(total, failures) {
  if (failures.length > 0) {
    process.stdout.write(`\nFailures:\n${failures.map((line) => `  ${line}\n`).join('')}`);
  }
  process.stdout.write(`\n${describe(total)}\n`);
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
