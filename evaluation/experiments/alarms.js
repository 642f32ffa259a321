/**
 * Experiments that are right, whose stated propensities are wrong, or whose money is linked less well in one arm. Their
 * true differences to arm 0 are known.
 * @typedef {import('../random.js').Random} Random
 * @typedef {object} Customer
 * @property {number} level from 0 to 1: what the customer pays, what it paid before and often its arm depend on it
 * @property {number} age from 0 to 1: when in the experiment it came
 * @typedef {object} Design
 * @property {string} name
 * @property {'right' | 'wrong' | 'half-linked'} kind
 * @property {number} customers
 * @property {number} [decisions] of a customer, in the mean; all in one arm
 * @property {number[]} truth the difference of each arm to arm 0
 * @property {(customer: Customer) => number[]} drawn propensities by which the arm is drawn
 * @property {(customer: Customer) => number[]} [stated] those that are recorded, if they are others
 * @property {number[]} [paying] share of decisions that move money, by arm
 * @property {number} [effect] what arm 1 adds to a payment
 * @property {number[]} [linked] share of the events with a link, by arm
 * @property {'unlinked' | 'suggested' | 'split'} [rest] what becomes of the others
 * @property {(arm: number, money: number) => number} [lost] chance that a decision is not recorded
 */

const EQUAL = () => [0.5, 0.5];
const byLevel = (/** @type {Customer} */ { level }) => [0.9 - 0.8 * level, 0.1 + 0.8 * level];
const byAge = (/** @type {Customer} */ { age }) => [0.9 - 0.8 * age, 0.1 + 0.8 * age];
const thirds = () => [0.5, 0.3, 0.2];

/** Mean of a payment, over levels. */
const PAYMENT = 10 + 20 + 5;

/** @type {Design[]} */
export const DESIGNS = [
  ...right('Equal arms', { customers: 600, drawn: EQUAL, effect: 10, truth: [0, 4] }),
  ...right('Propensities depend on what is paid', {
    ...{ customers: 1500, drawn: byLevel, effect: 10, truth: [0, 4] },
  }),
  ...right('Propensities change with time', { customers: 1000, drawn: byAge, truth: [0, 0] }),
  ...right('Customers in one arm each', {
    ...{ customers: 400, decisions: 4, drawn: EQUAL, truth: [0, 0] },
  }),
  ...right('Three arms', { customers: 1200, drawn: thirds, truth: [0, 0, 0] }),
  ...right('More pay in one arm, all linked', {
    ...{ customers: 1000, drawn: EQUAL, paying: [0.3, 0.45], truth: [0, 0.15 * PAYMENT] },
  }),
  ...right('Rare payments, links missing in all arms', {
    ...{ customers: 3000, drawn: EQUAL, paying: [0.06, 0.06], truth: [0, 0] },
    ...{ linked: [0.6, 0.6], rest: 'suggested' },
  }),
  ...right('Unequal arms, links missing in all arms', {
    ...{ customers: 1500, drawn: () => [0.15, 0.85], truth: [0, 0] },
    ...{ linked: [0.7, 0.7], rest: 'unlinked' },
  }),

  ...wrong('Depends on what is paid, recorded as halves', { drawn: byLevel, stated: EQUAL }),
  ...wrong('Recorded for the other arm', {
    drawn: byLevel,
    stated: (one) => [...byLevel(one)].reverse(),
  }),
  ...wrong('Recorded as more extreme', {
    ...{ customers: 1500, stated: byLevel },
    drawn: ({ level }) => [0.65 - 0.3 * level, 0.35 + 0.3 * level],
  }),
  ...wrong('A ramp, recorded as halves', { drawn: byAge, stated: EQUAL }),
  ...wrong('Depends on what is paid, customers in one arm each', {
    ...{ customers: 400, decisions: 4, drawn: byLevel, stated: EQUAL },
  }),
  ...wrong('Three arms, the best customers to the last one', {
    ...{ customers: 1200, truth: [0, 0, 0], stated: thirds },
    drawn: ({ level }) => (level > 0.7 ? [0.2, 0.2, 0.6] : [0.63, 0.34, 0.03]),
  }),
  ...wrong('45 and 55 %, recorded as halves', { drawn: () => [0.45, 0.55], stated: EQUAL }),
  ...wrong('A third of what moved nothing is lost in one arm', {
    ...{ customers: 1500, drawn: EQUAL, stated: EQUAL },
    lost: (arm, money) => (arm === 1 && money === 0 ? 1 / 3 : 0),
  }),

  ...half('Unlinked', { customers: 800, linked: [1, 0.5], rest: 'unlinked' }),
  ...half('Suggested only', { customers: 800, linked: [1, 0.5], rest: 'suggested' }),
  ...half('Split among several decisions', { customers: 800, linked: [1, 0.5], rest: 'split' }),
  ...half('Suggested only, few customers', { customers: 300, linked: [1, 0.5], rest: 'suggested' }),
  ...half('Unlinked, rare payments', {
    ...{ customers: 4000, paying: [0.06, 0.06], linked: [1, 0.5], rest: 'unlinked' },
  }),
  ...half('Unlinked, customers in one arm each', {
    ...{ customers: 400, decisions: 4, linked: [0.95, 0.475], rest: 'unlinked' },
  }),
  ...half('Three arms', {
    ...{ customers: 1200, drawn: thirds, truth: [0, 0, 0] },
    ...{ paying: [0.4, 0.4, 0.4], linked: [1, 1, 0.5], rest: 'unlinked' },
  }),
];

/** @param {string} name @param {Omit<Design, 'name' | 'kind'>} design @returns {Design[]} */
function right(name, design) {
  return [{ name, kind: 'right', ...design }];
}

/** @param {string} name @param {Partial<Design>} design @returns {Design[]} */
function wrong(name, design) {
  return [{ name, kind: 'wrong', customers: 1000, truth: [0, 0], drawn: EQUAL, ...design }];
}

/** @param {string} name @param {Partial<Design>} design @returns {Design[]} */
function half(name, design) {
  return [{ name, kind: 'half-linked', customers: 800, truth: [0, 0], drawn: EQUAL, ...design }];
}

const DAYS = 60;
const DAY_MS = 86_400_000;

/**
 * @param {Design} design @param {Random} random
 * @returns what the ledger has of it, and the number of events without a link
 */
export function draw(design, random) {
  const { customers, decisions = 1, drawn, stated = drawn, lost = () => 0 } = design;
  const observations = [];
  const [net, made] = [new Float64Array(customers), new Float64Array(customers)];
  let unlinked = 0;
  for (let cluster = 0; cluster < customers; cluster += 1) {
    const own = { level: random.next(), age: random.next() };
    net[cluster] = random.chance(0.6) ? 30 * own.level * random.logNormal(1, 0.6) : 0;
    made[cluster] = random.geometric(1 + 2 * own.level);
    const arm = drawArm(drawn(own), random);
    const propensity = stated(own)[arm];
    const count = decisions === 1 ? 1 : 1 + random.geometric(decisions - 1);
    for (let left = count; left > 0; left -= 1) {
      const paid = payment(design, own, arm, random);
      const link = paid === 0 ? { covered: null, share: 0 } : linkOf(design, arm, random);
      if (paid > 0 && link.covered === null) unlinked += 1;
      if (random.chance(lost(arm, paid))) continue;
      const time = Math.floor(DAYS * DAY_MS * own.age);
      const money = paid * link.share;
      observations.push({ arm, cluster, propensity, money, time, covered: link.covered });
    }
  }
  const covariates = [
    { name: 'prior_net', values: net },
    { name: 'prior_decisions', values: made },
  ];
  return { observations, clusters: customers, covariates, unlinked };
}

/** @param {number[]} propensities @param {Random} random */
function drawArm(propensities, random) {
  let left = random.next();
  return Math.max(
    0,
    propensities.findIndex((one) => {
      left -= one;
      return left < 0;
    }),
  );
}

/** @param {Design} design @param {Customer} own @param {number} arm @param {Random} random */
function payment({ paying = [0.4, 0.4, 0.4], effect = 0 }, { level, age }, arm, random) {
  if (!random.chance(paying[arm])) return 0;
  // The log-normal factor has the mean 1.
  return (10 + 40 * level + 10 * age) * random.logNormal(Math.exp(-0.125), 0.5) + effect * arm;
}

/** @param {Design} design @param {number} arm @param {Random} random */
function linkOf({ linked = [1, 1, 1], rest = 'unlinked' }, arm, random) {
  if (random.chance(linked[arm])) return { covered: 1, share: 1 };
  if (rest === 'split') return { covered: 0.5, share: 0.5 };
  return { covered: rest === 'suggested' ? 0 : null, share: 0 };
}
