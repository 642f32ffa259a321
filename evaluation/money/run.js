// A company with a known truth against a running service: `npm run eval:money`.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { buildOrExit } from '../../packages/server/bin/build/ensure.js';
import { findHledgerWeb } from '../../packages/server/test/support/hledger-install.js';
import { findPostgres } from '../../packages/server/test/support/postgres-install.js';
import { makeBusiness, NAMES } from './business.js';
import { differences, examine } from './examine.js';
import { feed, inOrder, shuffled } from './feed.js';
import { observe } from './observe.js';
import { startService } from './service.js';
import { toTables } from './table.js';

const USAGE = `usage: npm run eval:money -- [options]
  --movements N      about how many movements; default: 500, in the long run 20000
  --seed N           default: 1
  --preset NAME      shop, or marketplace: another company, which orders, pays and books in other ways
  --order NAME       in-order, shuffled or both; default: both
  --engine NAME      postgres or embedded; default: postgres, where it is installed
  --examples N       prints so many cases of each fault
  --json             prints JSON instead of tables
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  const options = readOptions(args);
  if (options === undefined) return 2;
  const hledger = findHledgerWeb();
  if (hledger.reason !== undefined) {
    process.stdout.write(`skipped: ${hledger.reason}\n`);
    return 0;
  }
  await buildOrExit();
  const business = makeBusiness(options);
  const orders = { 'in-order': inOrder, shuffled };
  const wanted = Object.entries(orders).filter(([order]) =>
    ['both', order].includes(options.order),
  );
  // Each has a service of its own.
  const runs = await Promise.all(
    wanted.map(async ([order, stepsOf]) => {
      const steps = stepsOf(business, options.seed);
      return { order, ...(await measure(business, steps, options)) };
    }),
  );
  const results = runs.map(({ order, found }) => ({ order, ...found }));
  if (runs.length === 2) {
    const [one, other] = runs;
    const differing = differences(one.observed, other.observed);
    if (differing.length > 0) {
      results[1].failures.push(`${differing.length} reports are paired otherwise than in order`);
      for (const key of differing)
        results[1].examples.push({ what: 'order', category: 'any', key });
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify({ ...options, results }, null, 2)}\n`);
  else process.stdout.write(toTables(results, options));
  return results.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        movements: { type: 'string', default: '500' },
        seed: { type: 'string', default: '1' },
        preset: { type: 'string', default: 'shop' },
        order: { type: 'string', default: 'both' },
        engine: { type: 'string', default: 'reason' in findPostgres() ? 'embedded' : 'postgres' },
        examples: { type: 'string', default: '0' },
        json: { type: 'boolean', default: false },
      },
    });
    const number = (name) => {
      const value = Number(values[name]);
      if (Number.isSafeInteger(value) && value >= 0) return value;
      throw new Error(`--${name} must be a whole number`);
    };
    const numbers = { movements: number('movements'), seed: number('seed') };
    const oneOf = (name, names) => {
      if (names.includes(values[name])) return values[name];
      throw new Error(`--${name} must be one of ${names.join(', ')}`);
    };
    const names = {
      preset: oneOf('preset', NAMES),
      order: oneOf('order', ['both', 'in-order', 'shuffled']),
      engine: oneOf('engine', ['postgres', 'embedded']),
    };
    return { ...numbers, ...names, examples: number('examples'), json: values.json };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    return undefined;
  }
}

/** @param {import('./business.js').Business} business */
async function measure(business, steps, { engine }) {
  const service = await startService(business, { engine });
  const started = Date.now();
  const progress = (text) => {
    const seconds = String(Math.round((Date.now() - started) / 1000)).padStart(5);
    process.stderr.write(`${seconds} s  ${text}\n`);
  };
  try {
    const { keys, releases } = await feed(service, business, steps, progress);
    const fed = (Date.now() - started) / 1000;
    const needed = new Set(
      business.movements.flatMap(({ reports }) => reports.map(({ key }) => key)),
    );
    const observed = await observe(service.api, keys, needed, progress);
    progress('observed');
    const found = examine(business, observed);
    return { observed, found: { ...found, events: observed.events, releases, seconds: fed } };
  } finally {
    await service.stop();
  }
}
