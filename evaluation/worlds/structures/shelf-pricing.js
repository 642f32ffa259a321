// Agents set the price of an article in a store, and every sale at that price belongs to the one in force.
import { decimal } from '../money.js';
import { digits, telemetry } from '../noise.js';
import { DAY, HOUR, lag, MINUTE, officeTime } from '../time.js';

const AGENTS = ['pricing-fresh', 'pricing-dry'];
const CATEGORIES = ['dairy', 'bakery', 'fish'];
const READS = ['forecast_demand', 'get_stock', 'compare_competitors'];

export const shelfPricing = { member: (random) => `S${digits(random, 3)}`, stories: { article } };

function article(context) {
  const { random } = context;
  const one = {
    store: random.pick(context.members),
    gtin: `40${digits(random, 11)}`,
    regular: 100 * (2 + random.below(58)) - 1,
  };
  const hasDecisions = random.chance(0.88);
  one.isPadded = random.chance(0.5);
  one.time = officeTime(random, context.span);
  one.current = one.regular;
  const before = { from: one.time - 2 * DAY, to: one.time, price: one.regular, cause: null };
  sales(context, one, { ...before, mean: hasDecisions ? 0.6 : 2 });
  if (!hasDecisions) return;
  for (let left = 1 + random.geometric(1.2); left > 0; left--) round(context, one, left === 1);
}

/** One price from its forecasts to its end, and the sales at the regular price after it. */
function round(context, one, isLast) {
  const { random } = context;
  const { regular } = one;
  for (let left = 2 + random.geometric(5); left > 0; left--) read(context, one);
  const price = newPrice(random, one);
  const hours = 20 + random.below(80);
  const cause = setPrice(context, one, price, hours);
  const isReplaced = !isLast && random.chance(0.6);
  const end = one.time + (isReplaced ? 0.6 : 1) * hours * HOUR;
  sales(context, one, { from: one.time + MINUTE, to: end, price, cause, mean: 2.6 });
  one.current = isReplaced ? price : regular;
  const gap = isReplaced ? 0 : lag(random, 30, 0.5);
  const to = end + gap + (isReplaced ? 0 : 30 * HOUR);
  sales(context, one, { from: end, to, price: regular, cause: null, mean: isReplaced ? 0 : 0.9 });
  one.time = end + gap + (isReplaced ? 1 : 31 * HOUR);
}

function read(context, one) {
  const { random } = context;
  decide(context, one, {
    action: random.pick(READS),
    time: one.time - lag(random, 5, 1),
    outputs: {
      stock: random.below(200),
      current: decimal(one.current),
      suggested: decimal(one.regular - 10 * random.below(15)),
    },
  });
}

/** Below the regular price, and another than the current one. */
function newPrice(random, { regular, current }) {
  let price = current;
  while (price === current) {
    const lower = Math.round((regular * (0.55 + 0.4 * random.next())) / 10) * 10 - 1;
    price = Math.max(29, lower);
  }
  return price;
}

/** Perhaps rejected first. @returns {string} the decision that holds */
function setPrice(context, one, price, hours) {
  const { random } = context;
  const inputs = { price: { gross: price / 100 }, valid_hours: hours };
  if (random.chance(0.1)) {
    const time = one.time - HOUR / 4;
    const outputs = { accepted: false, reason: 'below cost' };
    decide(context, one, { action: 'set_price', time, inputs, outputs });
  }
  return decide(context, one, {
    action: random.pick(['set_price', 'markdown']),
    time: one.time,
    inputs,
    outputs: { accepted: true, esl: 'updated' },
    isHidden: random.chance(0.05),
  });
}

function decide({ world, random }, one, { action, time, inputs = {}, outputs, isHidden = false }) {
  const { store, gtin, isPadded } = one;
  return world.decide({
    agent: random.pick(AGENTS),
    action,
    time,
    isHidden,
    holds: [`gtin:${gtin}`],
    metadata: {
      ...telemetry(random),
      scope: { store_id: store, category: random.pick(CATEGORIES) },
    },
    inputs: { sku: { ean: isPadded ? `0${gtin}` : gtin }, ...inputs },
    outputs,
  });
}

function sales(context, one, { from, to, price, cause, mean }) {
  const { random } = context;
  for (let left = random.geometric(mean); left > 0; left--) {
    sale(context, one, { price, time: from + random.next() * (to - from), cause });
  }
}

function sale({ world, random }, { store, gtin }, { price, time, cause }) {
  const pieces = random.chance(0.75) ? 1 : 2 + random.below(3);
  world.event({
    type: 'sale',
    amount: price * pieces,
    time,
    recorded: time + lag(random, 3, 0.6),
    cause,
    id: `${store}-${digits(random, 9)}`,
    metadata: {
      till: 1 + random.below(9),
      store: store.slice(1),
      item: { gtin, pieces, unit: decimal(price) },
      receipt: digits(random, 8),
    },
    holds: [`gtin:${gtin}`],
  });
}
