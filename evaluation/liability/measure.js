import { DEFAULT_LIABILITY } from '@decision-ledger/contract/liability-settings';
import { estimator } from '@decision-ledger/liability/estimator';
import { createRandom } from '../random.js';
import { measureNewAgents } from './agents.js';
import { measureAmounts } from './amounts.js';
import { factsOf, forecast, learn } from './simulate.js';
import { measureVersions } from './versions.js';
import { TENTH, WORLDS } from './worlds.js';

/**
 * Simulates ledgers with known loss rates and compares forecasts with what decisions then cost.
 * @param {{ replications: number, ledgers: number }} scale
 */
export function measure({ replications, ledgers }) {
  const settings = DEFAULT_LIABILITY;
  const coverage = WORLDS.map((world) => {
    let [below, above, expected, truth] = [0, 0, 0, 0];
    for (let index = 0; index < replications; index += 1) {
      const random = createRandom(index * 7919 + 13);
      const { past, future } = world.make(random);
      const experience = learn(past, random);
      const run = forecast(settings, experience, future, random, `seed ${index}`);
      if (run.realised < run.total.low90) below += 1;
      if (run.realised > run.total.high90) above += 1;
      expected += run.total.expected;
      truth += run.truth;
    }
    const inside = 1 - (below + above) / replications;
    const met = world.fewLosses ? inside >= 0.87 : Math.abs(inside - 0.9) <= 0.03;
    return {
      name: world.name,
      inside,
      below: below / replications,
      above: above / replications,
      ratio: expected / truth,
      goal: world.fewLosses ? 'at least 87 %' : '90 ± 3 %',
      met,
    };
  });
  const ratio = measureRatio(settings, ledgers);
  const versions = measureVersions(settings, Math.ceil(ledgers / 5));
  const amounts = measureAmounts(settings, Math.ceil(ledgers / 50));
  const agents = measureNewAgents(settings, ledgers);
  const goals = [...coverage, ...versions, ...amounts, ...agents];
  const met = goals.every((one) => one.met) && Math.abs(ratio.mean - 1) <= 0.15;
  return { coverage, ratio, versions, amounts, agents, met };
}

/**
 * @param {import('@decision-ledger/contract/liability-settings').LiabilitySettings} settings
 * @param {number} ledgers
 */
function measureRatio(settings, ledgers) {
  const ratios = Array.from({ length: ledgers }, (_, index) => {
    const random = createRandom(index * 104_729 + 7);
    const { past, future } = TENTH.make(random);
    const own = estimator(settings, learn(past, random));
    const [group] = future;
    if (group === undefined) throw new Error('the world has no future');
    const facts = factsOf(group.agent, group.version, group.confidence);
    return own.estimate({ ...facts, stated: 1 }, 0).expected / group.rate;
  }).sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => ratios[Math.floor(share * (ledgers - 1))] ?? 0;
  const mean = ratios.reduce((sum, one) => sum + one, 0) / ledgers;
  return { ledgers, mean, p5: at(0.05), p95: at(0.95) };
}
