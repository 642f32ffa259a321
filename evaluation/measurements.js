import { perturb, readAirline } from './airline.js';
import { withCandidates } from './candidates.js';
import { exactId, lastTouch, PARAMETERS, runModel, weightedSum } from './methods.js';
import { mean, measure } from './metrics.js';
import { createWorld } from './world.js';

const BASELINES = { 'last touch': lastTouch, 'weighted sum': weightedSum, 'exact id': exactId };
/** Reviews come from the first third of the events; the rest is measured. */
const REVIEWED_PART = 1 / 3;

/**
 * @typedef {Record<string, number>} Row
 * @typedef {{ title: string, value: number, limit: number, atLeast: boolean, met: boolean }} Goal
 */

/** @param {{ seeds: number[], size: number, budgets: number[] }} scale */
export function measureSimulations({ seeds, size, budgets }) {
  const runs = seeds.map((seed) => simulate(seed, size, budgets));
  const methods = Object.keys(runs[0].methods).map((name) => {
    const rows = runs.map((run) => run.methods[name]);
    return { name, mean: combine(rows, mean), worst: worstOf(rows) };
  });
  return {
    events: size,
    seeds,
    decisions: mean(runs.map((run) => run.decisions)),
    candidates: mean(runs.map((run) => run.candidates)),
    sharing: mean(runs.map((run) => run.sharing)),
    reachable: mean(runs.map((run) => run.reachable)),
    kinds: combine(
      runs.map((run) => run.kinds),
      mean,
    ),
    methods,
    goals: simulationGoals(runs, budgets),
  };
}

function simulate(seed, size, budgets) {
  const world = createWorld(seed, size);
  const all = withCandidates(world, PARAMETERS.half_life_hours);
  const cut = Math.floor(all.length * REVIEWED_PART);
  const [earlier, later] = [all.slice(0, cut), all.slice(cut)];
  const methods = {};
  const kinds = {};
  for (const budget of budgets) {
    const { scored } = runModel(earlier, later, budget);
    methods[modelName(budget)] = measure(scored);
    for (const kind of ['caused', 'unrecorded', 'known', 'stranger']) {
      kinds[`${modelName(budget)}: ${kind}`] = shareWithSuggestion(scored, kind);
    }
  }
  for (const [name, run] of Object.entries(BASELINES)) methods[name] = measure(run(later));
  const caused = later.filter(({ event }) => event.cause !== null);
  return {
    methods,
    kinds,
    decisions: world.decisions.length,
    candidates: mean(later.map(({ candidates }) => candidates.length)),
    sharing: mean(later.map(({ sharing }) => sharing)),
    reachable: mean(
      caused.map(({ event, candidates }) =>
        Number(candidates.some(({ decision }) => decision.ref === event.cause)),
      ),
    ),
  };
}

const modelName = (budget) => `model, ${budget} reviews`;

function shareWithSuggestion(scored, kind) {
  const those = scored.filter(({ event }) => event.kind === kind);
  return mean(those.map(({ pairs }) => Number(pairs.some(({ suggested }) => suggested))));
}

/** Compares the model with the best baseline of the same seed, and checks its calibration. */
function simulationGoals(runs, budgets) {
  const against = (budget, metric, sign) =>
    Math.min(
      ...runs.map(({ methods }) =>
        Math.min(
          ...Object.keys(BASELINES).map(
            (name) => sign * (methods[modelName(budget)][metric] - methods[name][metric]),
          ),
        ),
      ),
    );
  const lead = (budget, metric, sign) =>
    goal(`lead in ${metric} with ${budget} reviews, worst seed`, against(budget, metric, sign), 0);
  return [
    ...budgets.flatMap((budget) => [
      lead(budget, 'pr_auc', 1),
      lead(budget, 'brier', -1),
      lead(budget, 'ece', -1),
      lead(budget, 'ece_likeliest', -1),
    ]),
    ...['ece', 'ece_likeliest'].map((metric) =>
      goal(
        `${metric} with 60 reviews, worst seed`,
        Math.max(...runs.map(({ methods }) => methods[modelName(60)][metric])),
        0.03,
        false,
      ),
    ),
  ];
}

/** @param {string} folder @param {number} variations */
export function measureAirline(folder, variations) {
  const airline = readAirline(folder);
  const asGiven = onAirline(airline);
  const varied = Array.from({ length: variations }, (_, index) =>
    onAirline(perturb(airline, index + 1)),
  );
  const names = Object.keys(asGiven);
  return {
    decisions: airline.decisions.length,
    events: airline.events.length,
    variations,
    methods: names.map((name) => ({
      name,
      given: asGiven[name],
      worst: worstOf(varied.map((one) => one[name])),
    })),
    goals: [
      ...airlineGoals('as given', [asGiven.model]),
      ...airlineGoals(
        `worst of ${variations} variations`,
        varied.map(({ model }) => model),
      ),
    ],
  };
}

function onAirline(world) {
  const all = withCandidates(world, PARAMETERS.half_life_hours);
  const baselines = Object.entries(BASELINES).map(([name, run]) => [name, measure(run(all))]);
  return { model: measure(runModel([], all, 0).scored), ...Object.fromEntries(baselines) };
}

function airlineGoals(title, rows) {
  const worst = worstOf(rows);
  return [
    goal(`right decision first, ${title}`, worst.right_first, 0.85),
    goal(`unrelated with a suggestion, ${title}`, worst.causeless_suggested, 0.05, false),
    goal(`allocated ÷ true, least, ${title}`, Math.min(...rows.map((row) => row.allocated)), 0.9),
    goal(
      `allocated ÷ true, most, ${title}`,
      Math.max(...rows.map((row) => row.allocated)),
      1.1,
      false,
    ),
  ];
}

/** @returns {Goal} */
function goal(title, value, limit, atLeast = true) {
  return { title, value, limit, atLeast, met: atLeast ? value >= limit : value <= limit };
}

function combine(rows, fold) {
  return Object.fromEntries(
    Object.keys(rows[0]).map((name) => [name, fold(rows.map((row) => row[name]))]),
  );
}

const GREATER_IS_BETTER = new Set(['precision', 'recall', 'pr_auc', 'right_first']);

/** The worst value of each figure; for allocated money, the furthest from the true amount. */
function worstOf(rows) {
  const names = Object.keys(rows[0]);
  return Object.fromEntries(
    names.map((name) => {
      const values = rows.map((row) => row[name]);
      if (name === 'allocated') {
        return [name, values.reduce((a, b) => (Math.abs(b - 1) > Math.abs(a - 1) ? b : a))];
      }
      return [name, GREATER_IS_BETTER.has(name) ? Math.min(...values) : Math.max(...values)];
    }),
  );
}
