/**
 * Experiments whose true differences are known.
 * @typedef {import('../random.js').Random} Random
 * @typedef {{ arm: number, cluster: number, propensity: number, money: number }} Observation
 * @typedef {{ observations: Observation[], clusters: number, covariates: Float64Array[] }} Draw
 * @typedef {object} Scenario
 * @property {string} name
 * @property {number} arms
 * @property {number[]} truth the difference of each arm to arm 0
 * @property {boolean} [isBelowMinimum] smaller than what the service compares: for the table alone
 * @property {(random: Random) => Draw} draw
 */

const EQUAL = [0.5, 0.5];

/** @param {Random} random @param {readonly number[]} propensities */
function assign(random, propensities) {
  let left = random.next();
  for (const [arm, propensity] of propensities.entries()) {
    left -= propensity;
    if (left < 0) return arm;
  }
  return propensities.length - 1;
}

/**
 * One decision for each customer.
 * @param {number} size
 * @param {(random: Random) => readonly number[]} propensities of the arms for a decision
 * @param {(random: Random, arm: number, propensities: readonly number[]) => number} money
 * @returns {(random: Random) => Draw}
 */
function single(size, propensities, money) {
  return (random) => {
    const observations = Array.from({ length: size }, (_, cluster) => {
      const own = propensities(random);
      const arm = assign(random, own);
      return { arm, cluster, propensity: own[arm], money: money(random, arm, own) };
    });
    return { observations, clusters: size, covariates: [] };
  };
}

/**
 * Several decisions for each customer, who has an effect of its own on all of them.
 * @param {number} customers
 * @param {boolean} byCustomer whether a customer stays in one arm
 * @returns {(random: Random) => Draw}
 */
function clustered(customers, byCustomer) {
  return (random) => {
    const observations = [];
    const covariate = new Float64Array(customers);
    for (let cluster = 0; cluster < customers; cluster += 1) {
      const level = 6 * random.normal();
      covariate[cluster] = level + 3 * random.normal();
      const gain = 2 + 2 * random.normal();
      const common = assign(random, EQUAL);
      for (let left = 1 + random.geometric(4); left > 0; left -= 1) {
        const arm = byCustomer ? common : assign(random, EQUAL);
        const money = 10 + level + 4 * random.normal() + arm * gain;
        observations.push({ arm, cluster, propensity: 0.5, money });
      }
    }
    return { observations, clusters: customers, covariates: [covariate] };
  };
}

/** Most decisions move no money; the others a lognormal amount, a fifth more in arm 1. */
const heavy = (paying, sigma) => (/** @type {Random} */ random, /** @type {number} */ arm) =>
  random.chance(paying) ? random.logNormal(20, sigma) * (1 + 0.2 * arm) : 0;
const heavyTruth = (paying, sigma) => 0.2 * paying * 20 * Math.exp((sigma * sigma) / 2);

const plain = (effect) => (/** @type {Random} */ random, /** @type {number} */ arm) =>
  10 + 5 * random.normal() + effect * arm;

/** The propensity depends on what moves the money: without weights the difference would be wrong. */
function confounded(random) {
  const propensity = 0.1 + 0.8 * random.next();
  return [1 - propensity, propensity];
}

/** @param {number} size @param {boolean} isHeavy */
function withCovariate(size, isHeavy) {
  return (/** @type {Random} */ random) => {
    const covariate = new Float64Array(size);
    const observations = Array.from({ length: size }, (_, cluster) => {
      const before = isHeavy ? random.logNormal(20, 1) : 50 + 20 * random.normal();
      covariate[cluster] = before;
      const arm = assign(random, [0.7, 0.3]);
      const noise = isHeavy ? before * 0.3 * random.normal() : 6 * random.normal();
      return { arm, cluster, propensity: [0.7, 0.3][arm], money: before + noise + 3 * arm };
    });
    return { observations, clusters: size, covariates: [covariate] };
  };
}

/** @type {Scenario[]} */
export const SCENARIOS = [
  { name: 'A/A: no difference', arms: 2, truth: [0, 0], draw: single(400, () => EQUAL, plain(0)) },
  { name: 'Equal arms', arms: 2, truth: [0, 2], draw: single(400, () => EQUAL, plain(2)) },
  {
    name: 'Unequal arms, 10 % and 90 %',
    arms: 2,
    truth: [0, 2],
    draw: single(1000, () => [0.1, 0.9], plain(2)),
  },
  {
    name: 'Varying propensities, confounded',
    arms: 2,
    truth: [0, 2],
    draw: single(
      1000,
      confounded,
      (random, arm, own) => 40 * own[1] + 5 * random.normal() + 2 * arm,
    ),
  },
  {
    name: 'Three arms, 50, 30 and 20 %',
    arms: 3,
    truth: [0, 2, 4],
    draw: single(900, () => [0.5, 0.3, 0.2], plain(2)),
  },
  {
    name: 'Heavy tails, 80 % zeros, equal arms',
    arms: 2,
    truth: [0, heavyTruth(0.2, 1.5)],
    draw: single(2000, () => EQUAL, heavy(0.2, 1.5)),
  },
  {
    name: 'Heavy tails, 80 % zeros, 20 % and 80 %',
    arms: 2,
    truth: [0, heavyTruth(0.2, 1.5)],
    draw: single(5000, () => [0.2, 0.8], heavy(0.2, 1.5)),
  },
  {
    name: 'Rare money, 97 % zeros, equal arms',
    arms: 2,
    truth: [0, heavyTruth(0.03, 1)],
    draw: single(4000, () => EQUAL, heavy(0.03, 1)),
  },
  { name: 'Customers in both arms', arms: 2, truth: [0, 2], draw: clustered(150, false) },
  { name: 'Customers in one arm each', arms: 2, truth: [0, 2], draw: clustered(150, true) },
  { name: 'Strong covariate', arms: 2, truth: [0, 3], draw: withCovariate(400, false) },
  { name: 'Heavy-tailed covariate', arms: 2, truth: [0, 3], draw: withCovariate(1000, true) },
  ...[10, 20, 30, 50].map((size) => ({
    name: `Small: ${2 * size} decisions`,
    arms: 2,
    truth: [0, 2],
    isBelowMinimum: size < 20,
    draw: single(2 * size, () => EQUAL, plain(2)),
  })),
  ...[100, 300].map((size) => ({
    name: `Varying propensities, confounded: ${size} decisions`,
    arms: 2,
    truth: [0, 2],
    draw: single(
      size,
      confounded,
      (random, arm, own) => 40 * own[1] + 5 * random.normal() + 2 * arm,
    ),
  })),
  ...[400, 1000, 2500].map((size) => ({
    name: `Heavy tails, 80 % zeros, 20 % and 80 %: ${size} decisions`,
    arms: 2,
    truth: [0, heavyTruth(0.2, 1.5)],
    draw: single(size, () => [0.2, 0.8], heavy(0.2, 1.5)),
  })),
  ...[20, 30, 50, 100].map((size) => ({
    name: `Small, skewed: ${2 * size} decisions`,
    arms: 2,
    truth: [0, heavyTruth(1, 1)],
    isBelowMinimum: size < 20,
    draw: single(2 * size, () => EQUAL, heavy(1, 1)),
  })),
  ...[15, 20, 30].map((customers) => ({
    name: `Small: ${2 * customers} customers in one arm each`,
    arms: 2,
    truth: [0, 2],
    isBelowMinimum: customers < 20,
    draw: clustered(2 * customers, true),
  })),
];

/**
 * Whether the sample-ratio test finds what is wrong.
 * @type {{ name: string, arms: number, isRight: boolean, draw: (random: Random) => Draw }[]}
 */
export const RATIOS = [
  {
    name: 'Right: equal arms',
    arms: 2,
    isRight: true,
    draw: single(2000, () => EQUAL, plain(0)),
  },
  {
    name: 'Right: varying propensities',
    arms: 2,
    isRight: true,
    draw: single(2000, confounded, plain(0)),
  },
  {
    name: 'Right: three arms',
    arms: 3,
    isRight: true,
    draw: single(2000, () => [0.5, 0.3, 0.2], plain(0)),
  },
  { name: 'Right: customers in one arm each', arms: 2, isRight: true, draw: clustered(400, true) },
  { name: 'Wrong: 45 and 55 %, recorded as 50', arms: 2, isRight: false, draw: wrong(0.55) },
  { name: 'Wrong: a tenth of one arm is lost', arms: 2, isRight: false, draw: wrong(1 / 1.9) },
];

/** @param {number} share of arm 1, recorded as a half */
function wrong(share) {
  const draw = single(8000, () => [1 - share, share], plain(0));
  return (/** @type {Random} */ random) => {
    const { observations, ...rest } = draw(random);
    return { ...rest, observations: observations.map((one) => ({ ...one, propensity: 0.5 })) };
  };
}
