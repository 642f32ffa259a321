// What the product has to reach in every world.

/** Right first may be this much below the join's, as a share of the events. */
const BELOW_JOIN = 0.01;
/** In a small run chance decides more: so many standard errors of the paired difference are added. */
const ERRORS_IN_SMALL_RUN = 2;
const ENOUGH_FOR_CALIBRATION = 3000;

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
        .map(({ title, value, limit, atLeast }) => ({
          world: name,
          budget: row.budget,
          reviews: budgetName(row.budget),
          title,
          value,
          limit,
          atLeast,
          met: atLeast ? value >= limit : value <= limit,
        })),
    );
}

function checksOf({ budget, mean, lead, pooled }, isSmall) {
  const allowance = isSmall ? ERRORS_IN_SMALL_RUN * lead.error : 0;
  const join = atLeast('right first, lead over the join', lead.mean, -BELOW_JOIN - allowance);
  // Wrong reviews and many reviews only have to keep the lead.
  if (isSmall || budget.wrong > 0 || budget.reviews > 60) return [join];
  const calibration = budget.reviews === 0 ? 0.05 : 0.03;
  const isEnough = pooled.count >= ENOUGH_FOR_CALIBRATION;
  return [
    join,
    atLeast('right first where identified', mean.right_identified, 0.95),
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
