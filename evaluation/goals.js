// What the product has to reach in every world.

/** Right first may be this much below the join's, as a share of the events. */
const BELOW_JOIN = 0.01;
/** In a small run chance decides more: so many standard errors of the paired difference are added. */
const ERRORS_IN_SMALL_RUN = 2;
const ENOUGH_FOR_CALIBRATION = 3000;
/** A world with fewer matched events says too little of their precision. */
const ENOUGH_MATCHED = 30;
const LEAST_PRECISION = 0.9;
const LEAST_POOLED_PRECISION = 0.95;
/** Of the money whose case is ranked first, the median world. */
const LEAST_MATCHED = 0.5;
/** A world is significantly below where it would have so few right cases more rarely than this. */
const SIGNIFICANT = 0.05;
const ALL_WORLDS = 'all worlds';

/**
 * @typedef {{ world: string, budget: import('./measure.js').Budget, reviews: string, title: string, value: number, limit: number,
 *   atLeast: boolean, met: boolean }} Goal
 */

/**
 * @param {{ name: string, rows: import('./measure.js').Row[] }} world
 * @param {boolean} isSmall only the comparison with the join, with an allowance for chance
 * @returns {Goal[]}
 */
export function goalsOf({ name, rows }, isSmall) {
  return rows
    .filter(({ method }) => method === 'product')
    .flatMap((row) =>
      checksOf(row, isSmall)
        .filter(({ value }) => !Number.isNaN(value))
        .map((check) => goalOf(name, row.budget, check)),
    );
}

const goalOf = (world, budget, { title, value, limit, atLeast }) => ({
  ...{ world, budget, reviews: budgetName(budget), title, value, limit, atLeast },
  met: atLeast ? value >= limit : value <= limit,
});

/**
 * The goals of the label that no single world decides.
 * @param {{ name: string, rows: import('./measure.js').Row[] }[]} worlds
 * @returns {Goal[]}
 */
export function goalsOfAll(worlds) {
  const rows = worlds.flatMap((world) => world.rows.filter(({ method }) => method === 'product'));
  const budgets = [...new Map(rows.map(({ budget }) => [budgetName(budget), budget])).values()];
  return budgets.flatMap((budget) => {
    const own = rows.filter((row) => budgetName(row.budget) === budgetName(budget));
    const sumOf = (key) => own.reduce((sum, { pooled: { cases } }) => sum + cases[key], 0);
    const parts = own.map(({ mean }) => mean.matched_of_first_case).filter(Number.isFinite);
    return [
      atLeast(
        'matched, right case, pooled',
        sumOf('right') / sumOf('matched'),
        LEAST_POOLED_PRECISION,
      ),
      atLeast('matched ÷ right case first, median', medianOf(parts), LEAST_MATCHED),
    ]
      .filter(({ value }) => Number.isFinite(value))
      .map((check) => goalOf(ALL_WORLDS, budget, check));
  });
}

const medianOf = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** The least precision of so many matched events that is not significantly below the least precision. */
function leastOf(matched) {
  // The binomial distribution of wrong ones, in logs.
  let chance = matched * Math.log(LEAST_PRECISION);
  let fewer = 0;
  let wrong = 0;
  while (wrong < matched && fewer + Math.exp(chance) <= 1 - SIGNIFICANT) {
    fewer += Math.exp(chance);
    chance += Math.log(((matched - wrong) / (wrong + 1)) * (1 / LEAST_PRECISION - 1));
    wrong += 1;
  }
  return (matched - wrong) / matched;
}

function checksOf({ budget, mean, lead, pooled }, isSmall) {
  const allowance = isSmall ? ERRORS_IN_SMALL_RUN * lead.error : 0;
  const join = atLeast('right first, lead over the join', lead.mean, -BELOW_JOIN - allowance);
  // Wrong reviews and many reviews only have to keep the lead.
  if (isSmall || budget.wrong > 0 || budget.reviews > 60) return [join];
  const { cases } = pooled;
  const isJudged = cases.matched >= ENOUGH_MATCHED;
  const calibration = budget.reviews === 0 ? 0.05 : 0.03;
  const isEnough = pooled.count >= ENOUGH_FOR_CALIBRATION;
  return [
    join,
    atLeast('right first where identified', mean.right_identified, 0.95),
    ...(isJudged
      ? [atLeast('matched, right case', cases.right / cases.matched, leastOf(cases.matched))]
      : []),
    atMost('suggested for causeless', mean.causeless, 0.05),
    atLeast('allocated ÷ true, least', mean.allocated, 0.9),
    atMost('allocated ÷ true, most', mean.allocated, 1.1),
    isEnough
      ? atMost('calibration error', pooled.ece, calibration)
      : atMost('calibration error above the floor', pooled.ece - pooled.floor, calibration),
  ];
}

const atLeast = (title, value, limit) => ({ title, value, limit, atLeast: true });
const atMost = (title, value, limit) => ({ title, value, limit, atLeast: false });

/** @param {import('./measure.js').Budget} budget */
export const budgetName = ({ reviews, wrong }) =>
  wrong === 0 ? `${reviews}` : `${reviews}, ${100 * wrong} % wrong`;
