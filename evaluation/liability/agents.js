import { estimator } from '@decision-ledger/liability/estimator';
import { createRandom } from '../random.js';
import { factsOf, learn } from './simulate.js';

const PAST = { agents: 12, decisions: 1000 };
/** Standard deviations of the logarithm of the rates of agents. */
const SPREADS = [0.2, 0.4, 0.6];
const RATE = 0.03;
const GOAL = 0.8;

/**
 * How often the interval of an agent without outcomes holds its true expectation, if agents differ.
 * @param {import('@decision-ledger/contract/liability-settings').LiabilitySettings} settings
 * @param {number} ledgers
 */
export function measureNewAgents(settings, ledgers) {
  return SPREADS.map((spread) => {
    let [inside, width] = [0, 0];
    for (let index = 0; index < ledgers; index += 1) {
      const random = createRandom(index * 7919 + 31);
      const draw = () => Math.min(0.5, RATE * Math.exp(spread * random.normal() - spread ** 2 / 2));
      const past = Array.from({ length: PAST.agents }, (_, agent) => ({
        ...{
          agent: `a${agent}`,
          version: '',
          confidence: 0.8,
          count: PAST.decisions,
          rate: draw(),
        },
      }));
      const own = estimator(settings, learn(past, random));
      const { low, high } = own.estimate({ ...factsOf('new', ''), stated: 1 }, 0);
      const truth = draw();
      if (low <= truth && truth <= high) inside += 1;
      width += high / low;
    }
    const share = inside / ledgers;
    return { spread, inside: share, width: width / ledgers, goal: GOAL, met: share >= GOAL };
  });
}
