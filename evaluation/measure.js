// Runs the methods on the worlds: each seed is a world of its own, the same for all methods.
import process from 'node:process';
import { matchedCases } from './case-metrics.js';
import { createReviewer, withoutTruth } from './method.js';
import { calibrationError, firstSuggestions, judge, mean, measure, noiseFloor } from './metrics.js';
import { createRandom } from './random.js';

/** Reviews come from the first third of the events; the rest is measured. */
const REVIEWED_PART = 1 / 3;
const NO_REVIEWS = { reviews: 0, wrong: 0 };

/**
 * @typedef {{ reviews: number, wrong: number, seeds?: number }} Budget seeds: only the first ones
 * @typedef {{ seeds: number[], size: number, budgets: Budget[] }} Scale
 * @typedef {Record<string, number>} Figures
 * @typedef {{ method: string, budget: Budget, mean: Figures, worst: Figures,
 *   pooled: { ece: number, floor: number, count: number, cases: import('./case-metrics.js').MatchedCases }, lead: { mean: number, error: number },
 *   micros: number }} Row
 *   pooled: of the first suggestions of all seeds; lead: in right first, over the join, with its
 *   standard error; micros: per event
 */

/**
 * @param {string} name
 * @param {(seed: number, size: number) => import('./worlds/builder.js').World} create
 * @param {import('./method.js').Method[]} methods the join among them
 * @param {Scale} scale
 */
export async function measureWorld(name, create, methods, { seeds, size, budgets }) {
  const runs = [];
  const facts = [];
  for (const seed of seeds) {
    const world = create(seed, size);
    facts.push(factsOf(world));
    const seen = withoutTruth(world);
    for (const { method, budget } of plan(methods, budgets)) {
      if (budget.seeds !== undefined && facts.length > budget.seeds) continue;
      runs.push({ method, budget, ...(await runOnce({ world, seen, method, budget, seed })) });
    }
    process.stderr.write(`${name}, seed ${seed}: done\n`);
  }
  const { description } = create(seeds[0], Math.min(size, 30));
  const rows = plan(methods, budgets).map(({ method, budget }) => summarise(runs, method, budget));
  return { name, description, seeds: seeds.length, facts: combine(facts, mean), rows };
}

function plan(methods, budgets) {
  return methods.flatMap((method) =>
    (method.learns ? budgets : [NO_REVIEWS]).map((budget) => ({ method, budget })),
  );
}

async function runOnce({ world, seen, method, budget, seed }) {
  const reviewable = Math.floor(world.events.length * REVIEWED_PART);
  const random = createRandom(seed + 7919);
  const review = createReviewer(world, { ...budget, reviewable, random });
  const started = process.hrtime.bigint();
  const outcomes = [];
  for await (const outcome of method.run(seen, { ...budget, seed, reviewable, review })) {
    outcomes.push(outcome);
  }
  const micros = Number(process.hrtime.bigint() - started) / 1000 / world.events.length;
  const judged = world.events.slice(reviewable).map((event, at) => {
    const outcome = outcomes[reviewable + at];
    if (outcome?.event.ref !== event.ref) {
      throw new Error(`${method.name} gave no outcome for ${event.ref} of ${world.name}`);
    }
    return judge(outcome, event, world);
  });
  return { figures: measure(judged), judged, micros };
}

/** @returns {Row} */
function summarise(runs, method, budget) {
  const mine = runs.filter((run) => run.method === method && run.budget === budget);
  const joins = runs.filter((run) => run.method.name === 'join');
  const firsts = mine.flatMap(({ judged }) => firstSuggestions(judged));
  return {
    method: method.name,
    budget,
    mean: combine(
      mine.map(({ figures }) => figures),
      mean,
    ),
    worst: worstOf(mine.map(({ figures }) => figures)),
    pooled: {
      ece: calibrationError(firsts),
      floor: noiseFloor(firsts),
      count: firsts.length,
      cases: matchedCases(mine.flatMap(({ judged }) => judged)),
    },
    lead: leadOver(mine, joins),
    micros: mean(mine.map(({ micros }) => micros)),
  };
}

/** The paired difference in right first, over all seeds. */
function leadOver(mine, joins) {
  const differences = mine.flatMap(({ judged }, run) =>
    judged.flatMap(({ event, isFirstRight }, at) =>
      event.cause === null
        ? []
        : [Number(isFirstRight) - Number(joins[run]?.judged[at]?.isFirstRight)],
    ),
  );
  const centre = mean(differences);
  const variance = mean(differences.map((value) => (value - centre) ** 2));
  return { mean: centre, error: Math.sqrt(variance / differences.length) };
}

/** What a world is like: its size, its causes and how late the money is. */
function factsOf({ decisions, events }) {
  const at = new Map(decisions.map(({ ref, timestamp }) => [ref, timestamp]));
  const caused = events.filter(({ cause }) => cause !== null);
  const lags = caused
    .map(({ cause, timestamp }) => (timestamp - at.get(cause)) / 3_600_000)
    .sort((a, b) => a - b);
  const part = (kind) => mean(events.map((event) => Number(event.kind === kind)));
  return {
    decisions: decisions.length,
    events: events.length,
    caused: part('caused'),
    unrecorded: part('unrecorded'),
    causeless: part('causeless'),
    identified: mean(caused.map(({ identified }) => Number(identified))),
    lag_p5: lags[Math.floor(lags.length * 0.05)],
    lag_p50: lags[Math.floor(lags.length * 0.5)],
    lag_p95: lags[Math.floor(lags.length * 0.95)],
  };
}

function combine(rows, fold) {
  return Object.fromEntries(
    Object.keys(rows[0]).map((key) => {
      const values = rows.map((row) => row[key]).filter((value) => !Number.isNaN(value));
      return [key, values.length === 0 ? Number.NaN : fold(values)];
    }),
  );
}

const SMALLER_IS_BETTER = new Set(['causeless', 'unrecorded', 'ece', 'floor', 'brier']);

/** The worst value of each figure; for allocated money, the furthest from the true sum. */
function worstOf(rows) {
  const worst = combine(rows, (values) => Math.min(...values));
  const largest = combine(rows, (values) => Math.max(...values));
  for (const key of SMALLER_IS_BETTER) worst[key] = largest[key];
  if (Math.abs(largest.allocated - 1) > Math.abs(worst.allocated - 1)) {
    worst.allocated = largest.allocated;
  }
  return worst;
}
