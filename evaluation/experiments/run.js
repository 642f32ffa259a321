// Checks the intervals of experiments by simulation: `npm run eval:experiments`. See docs/experiments.md.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildOrExit } from '../../packages/server/bin/build/ensure.js';

const USAGE = `usage: npm run eval:experiments -- [options]
  --smoke      20 replications: only whether everything runs
  --json       prints JSON instead of tables
`;
const REPLICATIONS = 2000;
const SMOKE = 20;
/** Of each design with or without an alarm. */
const ALARMS = 200;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = readOptions(args);
  if (options === undefined) return 2;
  await buildOrExit();
  // The rules exist only after the build.
  const { measureCoverage, measureRatios } = await import('./measure.js');
  const { measureAlarms } = await import('./measure-alarms.js');
  const replications = options.smoke ? SMOKE : REPLICATIONS;
  const coverage = measureCoverage(replications);
  const ratios = measureRatios(replications);
  const alarms = measureAlarms(options.smoke ? SMOKE : ALARMS);
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ replications, coverage, ratios, alarms }, null, 2)}\n`,
    );
  } else process.stdout.write(tables(replications, coverage, ratios, alarms));
  const missed = [...coverage, ...ratios, ...alarms].filter(({ met }) => !met);
  // A few replications only check that everything runs.
  return missed.length > 0 && !options.smoke ? 1 : 0;
}

function readOptions(args) {
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({ args, options: { smoke: flag, json: flag } }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return undefined;
  }
}

function tables(replications, coverage, ratios, alarms) {
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const rows = coverage.map((row) => [
    row.name + (row.isBelowMinimum ? ' (below the minimum)' : ''),
    `${row.estimator}${row.arm === 1 ? '' : `, arm ${row.arm}`}`,
    percent(row.coverage),
    `${percent(row.below)} / ${percent(row.above)}`,
    row.bias.toFixed(3),
    row.errorRatio.toFixed(3),
    row.met ? 'yes' : 'no',
  ]);
  const heads = [
    ...['Experiment', 'Estimator', 'Coverage', 'Interval below / above'],
    ...['Bias in deviations', 'Stated ÷ true error', 'Met'],
  ];
  const tests = ratios.map((row) => [
    ...[row.name, percent(row.suspicious), percent(row.five), row.met ? 'yes' : 'no'],
  ]);
  const found = alarms.map((row) => [
    ...[row.name, row.kind, percent(row.coverage), percent(row.weak), percent(row.strong)],
    ...[percent(row.safe), row.met ? 'yes' : 'no'],
  ]);
  const alarmHeads = ['Design', 'Kind', 'Coverage', 'Warned', 'Refused', 'Covered or alarm', 'Met'];
  return [
    `${replications} replications\n`,
    table(heads, rows),
    table(['Sample ratio', 'p < 0.001', 'p < 0.05', 'Met'], tests),
    `${ALARMS} replications\n`,
    table(alarmHeads, found),
  ].join('\n');
}

function table(heads, rows) {
  const lines = [heads, heads.map(() => '---'), ...rows];
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
