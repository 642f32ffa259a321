import { parseArgs } from 'node:util';
import { buildOrExit } from '../../packages/server/bin/build/ensure.js';

const USAGE = 'Usage: npm run eval:liability -- [--smoke] [--json]\n';
const FULL = { replications: 2000, ledgers: 1000 };
const SMOKE = { replications: 10, ledgers: 20 };

process.exitCode = await main(process.argv.slice(2));

/** @param {string[]} args */
async function main(args) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  let values;
  try {
    ({ values } = parseArgs({ args, options: { smoke: flag, json: flag } }));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return 2;
  }
  await buildOrExit();
  // The model exists only after the build.
  const { measure } = await import('./measure.js');
  const results = measure(values.smoke ? SMOKE : FULL);
  process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : toTables(results));
  // A small simulation only checks that everything runs.
  return results.met || values.smoke ? 0 : 1;
}

/** @param {ReturnType<typeof import('./measure.js').measure>} results */
function toTables({ coverage, ratio, versions, amounts, agents }) {
  const rows = coverage.map(
    ({ name, inside, below, above, ratio: own, goal, met }) =>
      `| ${name} | ${percent(inside)} | ${percent(below)} | ${percent(above)} | ${own.toFixed(2)} | ${goal} | ${met ? 'met' : 'missed'} |`,
  );
  return [
    '| World | Within low90 and high90 | Below | Above | Expected ÷ true | Goal | |',
    '|---|---:|---:|---:|---:|---|---|',
    ...rows,
    '',
    ...versionTable(versions),
    '',
    ...amountTable(amounts),
    '',
    ...agentTable(agents),
    '',
    `Expected ÷ true at a tenth of the prior with 5,000 matured decisions, over ${ratio.ledgers} ledgers: ` +
      `mean ${ratio.mean.toFixed(3)}, 5th to 95th percentile ${ratio.p5.toFixed(2)} to ${ratio.p95.toFixed(2)}.`,
    '',
  ].join('\n');
}

/** @param {ReturnType<typeof import('./measure.js').measure>['versions']} versions */
function versionTable(versions) {
  return [
    '| New version, 60 matured outcomes | Expected ÷ true | Of five seeds | Goal | |',
    '|---|---:|---:|---|---|',
    ...versions.map(({ rate, change, mean, low, high, least, most, met }) => {
      const seeds = `${low.toFixed(2)} to ${high.toFixed(2)}`;
      const goal = `${least} to ${most}`;
      return `| ${change} × a rate of ${rate} | ${mean.toFixed(2)} | ${seeds} | ${goal} | ${met ? 'met' : 'missed'} |`;
    }),
  ];
}

/** @param {ReturnType<typeof import('./measure.js').measure>['amounts']} amounts */
function amountTable(amounts) {
  return [
    '| Loss rates by amount | Agent | Amount | Rate | Expected ÷ true | Goal | |',
    '|---|---|---:|---:|---:|---|---|',
    ...amounts.map(({ name, agent, amount, rate, ratio, least, most, met }) => {
      const goal = `${least} to ${most}`;
      return `| ${name} | ${agent} | ${amount} | ${rate} | ${ratio.toFixed(2)} | ${goal} | ${met ? 'met' : 'missed'} |`;
    }),
  ];
}

/** @param {ReturnType<typeof import('./measure.js').measure>['agents']} agents */
function agentTable(agents) {
  return [
    '| New agent: deviation of log rates | Within the interval | High ÷ low | Goal | |',
    '|---:|---:|---:|---|---|',
    ...agents.map(({ spread, inside, width, goal, met }) => {
      return `| ${spread} | ${percent(inside)} | ${width.toFixed(1)} | at least ${percent(goal)} | ${met ? 'met' : 'missed'} |`;
    }),
  ];
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
