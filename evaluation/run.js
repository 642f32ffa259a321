// Evaluates the attribution model: `npm run eval:attribution`. See docs/attribution-evaluation.md.
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildOrExit } from '../packages/server/bin/build/ensure.js';
import { toMarkdown, toTables, writeResults } from './report.js';

const USAGE = `usage: npm run eval:attribution -- [options]
  --data DIR   measures on decisions.ndjson, events.ndjson and truth.ndjson of a folder too
  --smoke      one small simulation: only whether everything runs
  --json       prints JSON instead of tables
  --write      renews the tables of docs/attribution-evaluation.md
`;
const PAGE = join(import.meta.dirname, '../docs/attribution-evaluation.md');
const FULL = { seeds: [1, 2, 3, 4, 5], size: 6000, budgets: [0, 60, 600], variations: 20 };
const SMOKE = { seeds: [1], size: 400, budgets: [0, 60], variations: 2 };

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = readOptions(args);
  if (options === undefined) return 2;
  await buildOrExit();
  // The rules exist only after the build.
  const { measureAirline, measureSimulations } = await import('./measurements.js');
  const scale = options.smoke ? SMOKE : FULL;
  const results = {
    simulated: measureSimulations(scale),
    airline: options.data === undefined ? null : measureAirline(options.data, scale.variations),
  };
  if (options.json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
  else process.stdout.write(toTables(results));
  if (results.airline === null) {
    process.stderr.write(
      'The airline data was left out: give its folder with --data, see docs/attribution-evaluation.md.\n',
    );
  }
  if (options.write) writeResults(PAGE, toMarkdown(results));
  const missed = [results.simulated, results.airline]
    .flatMap((part) => part?.goals ?? [])
    .filter(({ met }) => !met);
  // A small simulation only checks that everything runs.
  return missed.length > 0 && !options.smoke ? 1 : 0;
}

function readOptions(args) {
  const flag = { type: 'boolean', default: false };
  try {
    const options = { data: { type: 'string' }, smoke: flag, json: flag, write: flag };
    const { values } = parseArgs({ args, options });
    if (values.smoke && values.write) throw new Error('--smoke measures too little for --write');
    return values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return undefined;
  }
}
