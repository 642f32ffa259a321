// CPU of this tree beside that of a revision, in turns: node benchmarks/run.js --against REVISION
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { tQuantile } from '@decision-ledger/numerics/distributions';
import { table } from '../support/report.js';
import { CASES } from './cases.js';
import { checkOut, thisTree } from './tree.js';

const FULL = { starts: 6, pairs: 2, seconds: 3, records: 20_000 };
const SMOKE = { starts: 2, pairs: 1, seconds: 1, records: 500 };
/** Work that takes so much more CPU than before, beyond doubt, is a fault. */
const MOST = 1.05;

/**
 * CPU seconds, a figure for each start.
 * @typedef {{ case: import('./cases.js').Case, before: number[], now: number[], ratio: Interval }} Compared
 */

/**
 * Measures each case on both trees in turn, and prints what changed.
 * @param {{ against: string, smoke: boolean, only?: readonly string[], json?: string }} options
 * @param {(() => import('./cases.js').PostgresServer) | null} postgres null if no server is installed
 */
export async function compareTrees({ against, smoke, only, json }, postgres) {
  const former = await checkOut(against);
  const trees = { before: former, now: thisTree() };
  /** @type {Compared[]} */
  const all = [];
  try {
    for (const one of CASES.filter(({ name }) => only?.includes(name) ?? true)) {
      if (one.needsPostgres && postgres === null) {
        process.stderr.write(`SKIPPED ${one.name}: no PostgreSQL server is installed\n`);
        continue;
      }
      process.stderr.write(`${one.name} …\n`);
      const compared = await compare(one, trees, smoke ? SMOKE : FULL, postgres);
      process.stderr.write(`${row(compared).join('  ')}\n`);
      all.push(compared);
    }
  } finally {
    former.remove();
  }
  const head = ['CPU seconds', 'of', former.name, 'Now', 'Now ÷ before', '95 %'];
  process.stdout.write(`\n${table(head, all.map(row)).join('\n')}\n`);
  if (json !== undefined) writeFileSync(json, JSON.stringify(all.map(toJson), null, 2));
  const slower = all.filter(({ ratio }) => ratio.low > MOST).map((one) => one.case.name);
  if (slower.length === 0 || smoke) return;
  process.stderr.write(`bench: over 5 % more CPU than at ${former.name}: ${slower.join(', ')}\n`);
  process.exitCode = 1;
}

/**
 * Starts both trees several times, because two processes of one build differ by a few per cent for as long as they run.
 * @param {import('./cases.js').Case} one
 * @param {{ before: import('./tree.js').Tree, now: import('./tree.js').Tree }} trees
 * @param {typeof FULL} scale
 * @param {any} postgres
 * @returns {Promise<Compared>}
 */
async function compare(one, trees, scale, postgres) {
  const figures = { before: /** @type {number[]} */ ([]), now: /** @type {number[]} */ ([]) };
  for (let start = 0; start < scale.starts; start += 1) {
    const before = await one.start(trees.before.program, scale, postgres);
    const now = await one.start(trees.now.program, scale, postgres);
    const measured = await measurePairs({ before, now }, scale.pairs);
    await before.stop();
    await now.stop();
    figures.before.push(mean(measured.before));
    figures.now.push(mean(measured.now));
  }
  return { case: one, ...figures, ratio: ratioOf(figures.now, figures.before) };
}

/**
 * Pairs of measurements; which tree comes first changes from pair to pair.
 * @param {{ before: import('./cases.js').Side, now: import('./cases.js').Side }} sides
 * @param {number} pairs
 */
async function measurePairs(sides, pairs) {
  const figures = { before: /** @type {number[]} */ ([]), now: /** @type {number[]} */ ([]) };
  for (let pair = 0; pair < pairs; pair += 1) {
    const first = pair % 2 === 0 ? 'before' : 'now';
    for (const name of /** @type {const} */ ([first, first === 'now' ? 'before' : 'now'])) {
      figures[name].push(await sides[name].measure());
    }
  }
  return figures;
}

/** @param {readonly number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param {Compared} compared */
function row({ case: { title, per }, before, now, ratio }) {
  const [low, high] = [ratio.low, ratio.high].map((value) => value.toFixed(3));
  const seconds = [before, now].map((values) => mean(values).toPrecision(3));
  return [title, per, ...seconds, ratio.mean.toFixed(3), `${low} to ${high}`];
}

/** @param {Compared} compared */
const toJson = ({ case: { name, per }, before, now, ratio }) => ({ name, per, before, now, ratio });

/** @typedef {{ mean: number, low: number, high: number }} Interval ratios: 1.05 is 5 % more */

/**
 * The mean ratio of starts with its 95 % interval, from the logarithms of the ratios by Student's t.
 * @param {readonly number[]} above
 * @param {readonly number[]} below as many
 * @returns {Interval}
 */
function ratioOf(above, below) {
  const logs = above.map((value, pair) => Math.log(value / below[pair]));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const squares = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0);
  const error = Math.sqrt(squares / (logs.length - 1) / logs.length);
  const reach = tQuantile(0.975, logs.length - 1) * error;
  return { mean: Math.exp(mean), low: Math.exp(mean - reach), high: Math.exp(mean + reach) };
}
