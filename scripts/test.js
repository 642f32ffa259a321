// The checks before a change is merged: `npm test` runs the quick ones, `npm run test:all` all of them.

import { join } from 'node:path';
import process from 'node:process';
import { ensureProgram } from './support/ensure-program.js';
import { run, runQuietly } from './support/run.js';
import { runs } from './support/test-runs.js';
import { add, describe, finish, NOTHING } from './support/totals.js';

const USAGE = `usage: node scripts/test.js [fast|rest|all|long] [--only STEP,STEP]
  fast  the checks, and every suite once: npm test
  rest  what fast leaves out
  all   everything in one run: npm run test:all
  long  large ledgers, full benchmarks and evaluations: npm run test:long
`;

process.chdir(join(import.meta.dirname, '..'));
process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const steps = chooseSteps(args);
  if (steps === undefined) return 2;
  let total = NOTHING;
  for (const group of groupsOf(steps)) {
    total = (await runGroup(group)).reduce(add, total);
    if (total.failed > 0 && group[0].name === 'build') break;
  }
  finish(total);
  return total.failed > 0 ? 1 : 0;
}

/** Groups consecutive steps that share the machine; all others run alone. */
function groupsOf(steps) {
  const groups = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.isShared && last?.[0].isShared) last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** Runs at most two steps at a time, started in order. */
async function runGroup(group) {
  // One after the other, because the package manager installs for one process at a time.
  for (const step of group) for (const program of step.needs) await ensureProgram(program);
  if (group.length === 1) return [await runVisibly(group[0])];
  const left = group.values();
  const results = [];
  const lane = async () => {
    for (const step of left) results.push(await runBesideOthers(step));
  };
  await Promise.all([lane(), lane()]);
  return results;
}

async function runVisibly(step) {
  process.stdout.write(headingOf(step));
  return report(step, () => step.execute(run));
}

/** Prints the output of a step when it has ended, so that it does not mix with that of others. */
async function runBesideOthers(step) {
  let printed = '';
  const start = async (...given) => {
    const { code, output } = await runQuietly(...given);
    printed += output;
    return code;
  };
  return report(step, async () => {
    const result = await step.execute(start);
    process.stdout.write(`${headingOf(step)}${printed}`);
    return result;
  });
}

function headingOf({ title, name }) {
  return `\n── ${title} (${name}) ──\n`;
}

async function report({ name }, execute) {
  const started = performance.now();
  const result = await execute();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  process.stdout.write(`── ${name}: ${describe(result)} in ${seconds} s ──\n`);
  return { ...result, failures: result.failures.map((text) => `${name}: ${text}`) };
}

function chooseSteps(args) {
  const [name = 'fast', ...more] = args[0]?.startsWith('-') ? ['fast', ...args] : args;
  const [flag = '--only', list] = more[0]?.startsWith('--only=') ? more[0].split('=') : more;
  const steps = Object.hasOwn(runs, name) ? runs[name] : undefined;
  const only = list?.split(',').filter((one) => one !== '');
  const unknown = only?.filter((one) => !steps?.some((step) => step.name === one)) ?? [];
  if (steps === undefined || flag !== '--only' || only?.length === 0 || unknown.length > 0) {
    const known =
      steps === undefined ? '' : `steps of ${name}: ${steps.map((step) => step.name).join(',')}\n`;
    process.stderr.write(`${USAGE}${known}`);
    return undefined;
  }
  return only === undefined ? steps : steps.filter((step) => only.includes(step.name));
}
