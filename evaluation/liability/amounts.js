import { estimator } from '@decision-ledger/liability/estimator';
import { createRandom } from '../random.js';
import { factsOf, learn } from './simulate.js';

const SEEDS = [1, 2, 3, 4, 5];
/** Amounts, and how many of a thousand decisions state about each. */
const SMALL = { amount: 50, of: 600 };
const MIDDLE = { amount: 500, of: 300 };
const LARGE = { amount: 5000, of: 100 };
const PAST = 10;
const GOAL = [0.8, 1.2];

/** @param {string} agent @param {{ amount: number, of: number }} size @param {number} rate */
const group = (agent, { amount, of }, rate) => ({
  ...{ agent, version: '', confidence: 0.8, count: PAST * of, rate, amount },
});

/** Who loses how often with which amounts. */
const WORLDS = [
  {
    name: 'Large amounts are lost four times as often',
    groups: [group('a', SMALL, 0.01), group('a', MIDDLE, 0.02), group('a', LARGE, 0.04)],
  },
  {
    name: 'Large amounts are lost half as often',
    groups: [group('a', SMALL, 0.02), group('a', MIDDLE, 0.02), group('a', LARGE, 0.01)],
  },
  {
    name: 'The amount does not matter',
    groups: [group('a', SMALL, 0.02), group('a', MIDDLE, 0.02), group('a', LARGE, 0.02)],
  },
  {
    name: 'One agent has the large amounts and loses often, whatever the amount',
    groups: [
      ...[group('a', SMALL, 0.01), group('b', SMALL, 0.01)],
      ...[group('c', { ...SMALL, of: 100 }, 0.04), group('c', LARGE, 0.04)],
    ],
  },
];

/**
 * How far estimates are right by amount: expected ÷ true cost of the decisions of each group, in the mean over ledgers.
 * @param {import('@decision-ledger/contract/liability-settings').LiabilitySettings} settings
 * @param {number} ledgers of each seed
 */
export function measureAmounts(settings, ledgers) {
  return WORLDS.flatMap(({ name, groups }) => {
    const sums = groups.map(() => 0);
    for (const seed of SEEDS) {
      for (let index = 0; index < ledgers; index += 1) {
        const random = createRandom(seed * 1_000_003 + index * 104_729);
        const own = estimator(settings, learn(groups, random));
        for (const [place, { agent, amount, rate }] of groups.entries()) {
          const { expected } = own.estimate({ ...factsOf(agent, ''), stated: amount }, 0);
          sums[place] += expected / (rate * amount);
        }
      }
    }
    return groups.map(({ agent, amount, rate }, place) => {
      const ratio = (sums[place] ?? 0) / (SEEDS.length * ledgers);
      const [least = 0, most = 0] = GOAL;
      return {
        name,
        agent,
        amount,
        rate,
        ratio,
        least,
        most,
        met: ratio >= least && ratio <= most,
      };
    });
  });
}
