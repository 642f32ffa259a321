import { estimator } from '@decision-ledger/liability/estimator';
import { createRandom } from '../random.js';
import { learn } from './simulate.js';

const SEEDS = [1, 2, 3, 4, 5];
/** Matured outcomes of the new version. */
const MATURED = 60;
const PAST = { versions: 10, decisions: 500 };
const RATES = [0.01, 0.02, 0.05];
const CHANGES = [
  { change: 5, goal: [0.7, 1.3] },
  { change: 1, goal: [0.9, 1.1] },
];

/**
 * How far the estimate of a new version of an agent is right after a few outcomes: expected ÷ true loss rate, in the mean over
 * ledgers, for each seed. Past versions all had one rate.
 * @param {import('@decision-ledger/contract/liability-settings').LiabilitySettings} settings
 * @param {number} ledgers of each seed
 */
export function measureVersions(settings, ledgers) {
  return RATES.flatMap((rate) =>
    CHANGES.map(({ change, goal: [least = 0, most = 0] }) => {
      const means = SEEDS.map((seed) => meanRatio(settings, { rate, change, seed, ledgers }));
      const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
      const [low, high] = [Math.min(...means), Math.max(...means)];
      return { rate, change, mean, low, high, least, most, met: low >= least && high <= most };
    }),
  );
}

/**
 * @param {import('@decision-ledger/contract/liability-settings').LiabilitySettings} settings
 * @param {{ rate: number, change: number, seed: number, ledgers: number }} world
 */
function meanRatio(settings, { rate, change, seed, ledgers }) {
  let sum = 0;
  for (let index = 0; index < ledgers; index += 1) {
    const random = createRandom(seed * 1_000_003 + index * 7919);
    const group = { agent: 'a', confidence: 0.8 };
    const past = Array.from({ length: PAST.versions }, (_, version) => ({
      ...{ ...group, version: `v${version}`, count: PAST.decisions, rate },
    }));
    const fresh = { ...group, version: 'new', count: MATURED, rate: rate * change };
    const own = estimator(settings, learn([...past, fresh], random));
    const { rateOf } = own.modelOf('refund');
    sum += rateOf('a', 'new').version.rate / fresh.rate;
  }
  return sum / ledgers;
}
