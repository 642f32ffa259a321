/**
 * Worlds whose loss rates are known. A group is a number of decisions of one agent and version, all with
 * one confidence and one true probability of a loss; `amount` is what each states, if that matters.
 * @typedef {{ agent: string, version: string, confidence: number, count: number, rate: number, amount?: number }} Group
 * @typedef {{ past: Group[], future: Group[] }} Ledger
 * @typedef {{ name: string, fewLosses: boolean, make: (random: import('../random.js').Random) => Ledger }} World
 */

/** The loss rate that the default settings expect, at the neutral confidence. */
const ASSUMED = 0.01;
const NEUTRAL = 0.8;

/** @param {string} agent @param {string} version @param {number} count @param {number} rate @param {number} [confidence] @returns {Group} */
const group = (agent, version, count, rate, confidence = NEUTRAL) => ({
  agent,
  version,
  confidence,
  count,
  rate,
});

/** One agent, without versions. @param {string} name @param {number} count @param {number} rate @returns {World} */
function plain(name, count, rate) {
  return {
    name: `${name}, ${count.toLocaleString('en')} matured`,
    fewLosses: count * rate < 30,
    make: () => ({
      past: [group('a', '', count, rate)],
      future: [group('a', '', Math.min(count, 2000), rate)],
    }),
  };
}

/** Five agents that state the same confidence; one of them loses five times as often. */
function overconfident() {
  const agents = ['a', 'b', 'c', 'd', 'e'];
  const groups = (/** @type {number} */ count) =>
    agents.flatMap((agent) =>
      [0.75, 0.95].map((confidence) => {
        const assumed = 2 ** ((NEUTRAL - confidence) / 0.2);
        const rate = agent === 'e' ? 0.05 : ASSUMED * assumed;
        return group(agent, '', count, rate, confidence);
      }),
    );
  return {
    name: 'One overconfident agent of five',
    fewLosses: false,
    make: () => ({ past: groups(500), future: groups(200) }),
  };
}

/** Each prompt version has a shock of its own; the forecast is for a new one. @param {number} versions @param {number} count @param {number} rate @returns {World} */
function shocked(versions, count, rate) {
  return {
    name: `Shocks by version, ${versions} versions of ${count}, rate ${rate}`,
    fewLosses: versions * count * rate < 30,
    make(random) {
      const shock = () => rate * Math.exp(0.8 * random.normal() - 0.32);
      const past = Array.from({ length: versions }, (_, index) =>
        group('a', `v${index}`, count, shock()),
      );
      return { past, future: [group('a', 'new', count, shock())] };
    },
  };
}

/** @type {World[]} */
export const WORLDS = [
  plain('As assumed', 1000, ASSUMED),
  plain('As assumed', 5000, ASSUMED),
  plain('Five times the prior', 1000, 5 * ASSUMED),
  plain('Five times the prior', 5000, 5 * ASSUMED),
  plain('A tenth of the prior', 1000, ASSUMED / 10),
  plain('A tenth of the prior', 5000, ASSUMED / 10),
  overconfident(),
  shocked(10, 500, 0.02),
  shocked(12, 1000, 0.05),
  shocked(30, 1000, 0.01),
];

export const TENTH = plain('A tenth of the prior', 5000, ASSUMED / 10);
