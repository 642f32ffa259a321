import { aggregate } from '@decision-ledger/liability/aggregate';
import { estimator as estimatorOf } from '@decision-ledger/liability/estimator';
import { Learner } from '@decision-ledger/liability/learning';
import { SIZE_BASE } from '@decision-ledger/liability/sizes';

/**
 * @typedef {import('./worlds.js').Group} Group
 * @typedef {import('../random.js').Random} Random
 */

const ACTION = 'refund';
/** Losses ÷ amounts are log-normal with mean 1 and this deviation of their logarithm. */
const SPREAD = 0.8;

/** Amounts at risk vary too. @param {Random} random */
const amount = (random) => 100 * Math.exp(0.5 * random.normal());
/** @param {Random} random */
const share = (random) => Math.exp(SPREAD * random.normal() - SPREAD ** 2 / 2);

/**
 * The facts of a decision that states an amount in the base currency.
 * @param {string} agentId @param {string} variant @param {number} [confidence]
 */
export const factsOf = (agentId, variant, confidence = 0.8) => ({
  ...{ actionType: ACTION, agentId, variant, confidence },
  oversight: /** @type {const} */ ('none'),
  provenance: /** @type {const} */ ('approved'),
  ...{ timestamp: 0, inBase: true, isDenied: false, linked: null, realised: 0 },
});

/** @param {number} count @param {number} rate @param {Random} random */
function lossesAmong(count, rate, random) {
  let losses = 0;
  for (let index = 0; index < count; index += 1) if (random.next() < rate) losses += 1;
  return losses;
}

/**
 * What a ledger has learned from past decisions, through the model's own learner.
 * @param {Group[]} past @param {Random} random
 */
export function learn(past, random) {
  const learner = new Learner();
  learner.addOutcomes(
    past.map(({ agent, version, confidence, count, rate, amount: stated }) => {
      const losses = lossesAmong(count, rate, random);
      const shares = Array.from({ length: losses }, () => Math.min(10, share(random)));
      return {
        action_type: ACTION,
        agent_id: agent,
        variant: version,
        oversight: 'none',
        size_band: stated === undefined ? null : Math.floor(Math.log(stated) / Math.log(SIZE_BASE)),
        confidence_bin: Math.min(9, Math.floor(confidence * 10)),
        decisions: count,
        losses,
        confidence: count * confidence,
        confidence_squares: count * confidence ** 2,
        confidence_lost: losses * confidence,
        severity_count: losses,
        severity_sum: shares.reduce((sum, one) => sum + one, 0),
        severity_squares: shares.reduce((sum, one) => sum + one ** 2, 0),
      };
    }),
  );
  return learner.experience();
}

/**
 * Forecasts future decisions and draws what they cost.
 * @param {import('@decision-ledger/contract/liability-settings').LiabilitySettings} settings
 * @param {import('@decision-ledger/liability/experience').Experience} experience
 * @param {Group[]} future @param {Random} random @param {string} seed
 */
export function forecast(settings, experience, future, random, seed) {
  const estimator = estimatorOf(settings, experience);
  let [realised, truth] = [0, 0];
  const pools = future.map(({ agent, version, confidence, count, rate }) => {
    const pool = {
      actionType: ACTION,
      agentId: agent,
      variant: version,
      decisions: count,
      expected: 0,
      events: 0,
      eventSquares: 0,
      sizes: 0,
      stake: 0,
      realised: 0,
    };
    // The estimate is proportional to the amount, so one is enough.
    const facts = { ...factsOf(agent, version, confidence), stated: 1 };
    const { expected, parts } = estimator.estimate(facts, 0);
    for (let index = 0; index < count; index += 1) {
      const stated = amount(random);
      const cost = parts.severity * stated;
      pool.expected += expected * stated;
      pool.events += parts.loss_probability;
      pool.eventSquares += parts.loss_probability ** 2;
      pool.sizes += parts.loss_probability * cost ** 2;
      pool.stake += cost;
      truth += rate * stated;
      if (random.next() < rate) realised += stated * share(random);
    }
    return pool;
  });
  const { dispersion } = experience;
  const total = aggregate({ pools, estimator, dispersion, seed });
  return { total, realised, truth };
}
