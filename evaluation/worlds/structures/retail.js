// Orders of a shop: every step is recorded, also those that only read.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise, weighed } from '../noise.js';
import { lag, MINUTE, officeTime } from '../time.js';

const READS = ['find_user_id_by_email', 'get_order_details', 'list_orders', 'getProductInfo'];
/** What moves money: the type of event, sign, median hours and sigma of the delay. */
const WRITES = {
  exchange_delivered_items: { type: 'exchange.settled', sign: 1, hours: 20, sigma: 0.7 },
  return_delivered_items: { type: 'refund.paid_out', sign: -1, hours: 60, sigma: 0.6 },
  cancelPendingOrder: { type: 'refund.paid_out', sign: -1, hours: 4, sigma: 0.8 },
  modify_pending_items: { type: 'charge.captured', sign: 1, hours: 1, sigma: 1 },
};

const SPELLINGS = [
  (order) => ({ order_id: `W${order}` }),
  (order) => ({ order_ref: `ord-000${order}` }),
  (order) => ({ orderNumber: `W ${order.slice(0, 3)} ${order.slice(3)}` }),
  (order) => ({ ref: `#${order}` }),
  (order) => ({ return_url: `https://shop.example.com/en/orders/w${order}?utm=mail` }),
  (order) => ({ description: `Settlement for order W${order}, thank you for shopping with us` }),
  (order) => ({ merchant: { reference: `W-${order.slice(0, 4)}-${order.slice(4)}` } }),
];
const SHOWN = 3;
const SKEW = 3 * MINUTE;

export const retail = {
  prepare: ({ record }) => ({ spellings: SPELLINGS.slice(0, record.spellings) }),
  member: (random, at) => ({
    id: `${random.pick(['mia', 'noah', 'yusuf', 'lena', 'ivan'])}_${random.pick(['kim', 'silva', 'brown'])}_${digits(random, 4)}`,
    email: `user${at}.${random.code(4).toLowerCase()}@example.com`,
    orders: [],
  }),
  stories: { strayPayment, conversation },
};

function conversation(shop) {
  const { random } = shop;
  const user = random.pick(shop.members);
  let time = officeTime(random, shop.span);
  const order = { number: digits(random, 7), cents: cents(random, 180), time };
  user.orders.push(order);
  const agent = `retail-agent-${1 + random.below(6)}`;
  const step = (action) => {
    time += random.logNormal(1.5, 0.8) * 60_000;
    return record(shop, { user, order, agent, action, time });
  };
  const isShort = random.chance(0.35);
  if (!isShort) for (let talk = 1 + random.geometric(2); talk > 0; talk--) step(random.pick(READS));
  for (let rounds = random.chance(0.2) ? 2 : 1; rounds > 0; rounds--) {
    const action = random.pick(Object.keys(WRITES));
    const moved = random.chance(0.6) ? order.cents : Math.ceil(order.cents * random.next() * 0.6);
    time += random.logNormal(2, 0.8) * 60_000;
    const isHidden = random.chance(0.04);
    const cause = record(shop, { user, order, agent, action, time, moved, isHidden });
    if (random.chance(0.9)) settle(shop, { order, action, time, moved, cause });
    if (rounds > 1) time += lag(random, 30, 0.5);
  }
  // People ask where their money is, after the decision and before the payment.
  while (!isShort && random.chance(0.45)) {
    time += lag(random, 3, 0.9);
    record(shop, { user, order, agent, action: random.pick(READS), time });
  }
}

function record({ world, random }, { user, order, agent, action, time, moved, isHidden }) {
  const id = `#W${order.number}`;
  const known = `W${order.number}`;
  const isWrite = action in WRITES;
  const holds = [`user:${user.id}`];
  const outputs = { status: 'ok' };
  const inputs = { tool: action, arguments: {} };
  if (action === 'find_user_id_by_email') inputs.arguments.email = user.email;
  else if (action === 'list_orders') {
    const shown = user.orders.filter((one) => one.time <= time).slice(-SHOWN);
    outputs.orders = shown.map((one) => ({
      order_id: `W${one.number}`,
      total: decimal(one.cents),
    }));
    holds.push(...shown.map((one) => `order:${one.number}`));
  } else if (action === 'getProductInfo') inputs.arguments.product = digits(random, 10);
  else {
    inputs.arguments.order_id = known;
    holds.push(`order:${order.number}`);
    outputs.order = { number: id, total: decimal(order.cents), user_id: user.id };
  }
  if (isWrite) {
    inputs.arguments.item_ids = [digits(random, 10), digits(random, 10)];
    if (random.chance(0.7)) outputs.amount = moved / 100;
    inputs.reason = random.pick(['no longer needed', 'ordered by mistake', 'wrong size']);
  }
  return world.decide({
    agent,
    action,
    time,
    isHidden,
    holds,
    metadata: { ...runNoise(random), user_id: user.id },
    inputs,
    outputs,
    alternatives: isWrite ? weighed(random, action, ['transfer_to_human']) : [],
  });
}

function settle({ world, random, spellings }, { order, action, time, moved, cause }) {
  const { type, sign, hours, sigma } = WRITES[action];
  const exact = random.chance(0.85) ? moved : Math.ceil(moved * (0.8 + 0.2 * random.next()));
  const isKnown = random.chance(0.95);
  world.event({
    type,
    amount: sign * exact,
    // Some clocks are minutes behind.
    time: time + (random.chance(0.03) ? -SKEW * random.next() : lag(random, hours, sigma)),
    cause,
    metadata: {
      ...sourceNoise(random),
      ...(isKnown ? random.pick(spellings)(order.number) : {}),
      method: `card_${digits(random, 7)}`,
    },
    holds: isKnown ? [`order:${order.number}`] : [],
  });
}

/** Orders that no agent touched. */
function strayPayment({ world, random, spellings, span }) {
  world.event({
    type: random.pick(Object.values(WRITES)).type,
    amount: (random.chance(0.5) ? 1 : -1) * cents(random, 180),
    time: officeTime(random, span),
    metadata: {
      ...sourceNoise(random),
      ...random.pick(spellings)(digits(random, 7)),
      method: `card_${digits(random, 7)}`,
    },
  });
}
