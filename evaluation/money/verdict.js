/** Shares of what should have been joined. */
const MISSED_WITH = 0.01;
const MISSED_WITHOUT = 0.05;

/**
 * @typedef {{ title: string, value: string, limit: string, isMet: boolean, basis: string }} Goal
 * basis: what the value is of
 */

/**
 * Each goal, and whether it is met. Sums are in the base currency.
 * @param {{ total: ReturnType<typeof import('./examine.js').nothing>, unexpected: readonly object[],
 *   currencies: readonly { total: string | null, sum: string, lines: boolean }[],
 *   payouts: ReturnType<typeof import('./payout-check.js').examinePayouts> }} found
 * @returns {Goal[]}
 */
export function goalsOf({ total, unexpected, payouts, currencies }) {
  const of = (name, count) => `${count} ${name}`;
  return [
    sum('Counted twice, and nobody is asked', total.twice, of('movements', total.movements)),
    sum(
      'Fused although the reports tell them apart',
      total.fused,
      of('movements', total.movements),
    ),
    share('Missed, with a shared reference', total.missedWith, total.withReference, MISSED_WITH),
    share('Missed, without', total.missedWithout, total.without, MISSED_WITHOUT),
    none('Ambiguous, and nobody is asked', total.unasked, of('ambiguous joins', total.doubtful)),
    sum('Bank − payouts', payouts.bank, of('payouts', payouts.count)),
    sum(
      'Payouts − charges, refunds, disputes and fees',
      payouts.parts,
      of('payouts', payouts.count),
    ),
    sum('Counted − true, beside what waits', total.difference, of('movements', total.movements)),
    none('Reports without an event', total.absent, of('reports', total.reports)),
    none('Events of money that never moved', unexpected.length, of('reports', total.reports)),
    none(
      'Currencies whose lines do not add up',
      currencies.filter(({ isSummed }) => !isSummed).length,
      of('currencies', currencies.length),
    ),
  ];
}

const money = (/** @type {number} */ minor) => (minor / 100).toFixed(2);

function sum(title, minor, basis) {
  return { title, value: money(minor), limit: '0.00', isMet: minor === 0, basis };
}

function none(title, count, basis) {
  return { title, value: String(count), limit: '0', isMet: count === 0, basis };
}

function share(title, some, all, limit) {
  const value = all === 0 ? '–' : `${((100 * some) / all).toFixed(2)} %`;
  const isMet = some === 0 || some < limit * all;
  return { title, value, limit: `< ${100 * limit} %`, isMet, basis: `${some} of ${all} joins` };
}

/** @param {readonly Goal[]} goals */
export const failuresOf = (goals) =>
  goals
    .filter(({ isMet }) => !isMet)
    .map(({ title, value, basis }) => `${title}: ${value} (${basis})`);
