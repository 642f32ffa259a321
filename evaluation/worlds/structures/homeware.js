// A shop for homeware numbers its orders in sequence, and the payment processor spells half of the numbers otherwise.
import { cents, decimal } from '../money.js';
import { digits, envelope, LAST_NAMES, telemetry } from '../noise.js';
import { HOUR, lag, MINUTE, officeTime } from '../time.js';

const FIRST_NAMES = ['Hannah', 'Omar', 'Giulia', 'Piotr', 'Aylin', 'Sven', 'Chloe', 'Mateo'];
const AGENTS = ['care-bot-de', 'care-bot-fr', 'voice-agent-2'];
const NOTES = ['arrived broken', 'too late', 'colour differs from the picture'];
/** How the processor may state an order; five times of eleven as the shop does. */
const SPELLINGS = [
  (number) => ({ additionalData: { merchantOrderReference: `SO25${number}` } }),
  (number) => ({ merchantReference: `SO-25-${number}-R1` }),
  (number) => ({ merchantReference: `so_25_${number}` }),
  (number) => ({ orderRef: `SO/25/${number}` }),
  (number) => ({ shopperStatement: `HOMEWARE SO 25 ${number} THANKS` }),
  (number) => ({
    returnUrl: `https://homeware.example/account/orders/SO-25-${number}/return?lang=de`,
  }),
  ...Array(5).fill((number) => ({ merchantReference: `SO-25-${number}` })),
];
/** Cents for the label of a return, which are deducted at times. */
const LABEL = 495;
/** What moves money: event type, sign, median delay in hours and its sigma, share of the writes. */
const WRITES = {
  issue_refund: { type: 'REFUND', sign: -1, hours: 30, sigma: 0.6, share: 0.45 },
  cancel_order: { type: 'CANCEL_OR_REFUND', sign: -1, hours: 3, sigma: 0.8, share: 0.2 },
  grantPriceMatch: { type: 'REFUND', sign: -1, hours: 30, sigma: 0.6, share: 0.15 },
  upgrade_to_express: { type: 'CAPTURE', sign: 1, hours: 1, sigma: 0.6, share: 0.12 },
  send_replacement: { type: 'CARRIER_CHARGE', sign: -1, hours: 50, sigma: 0.4, share: 0.08 },
};
const RETURNS = ['issue_refund', 'issue_refund', 'cancel_order', 'send_replacement'];

export const homeware = {
  prepare: ({ random }) => ({ last: 4000 + random.below(900) }),
  member: (random, at) => ({
    id: `K-${104_000 + at * 7 + random.below(7)}`,
    mail: `${random.pick(FIRST_NAMES)}.${random.pick(LAST_NAMES)}${at}@example.org`.toLowerCase(),
    orders: [],
  }),
  stories: { portalReturn, chat },
};

function chat(context) {
  const { random } = context;
  const customer = random.pick(context.members);
  const order = newOrder(context, customer);
  const time = officeTime(random, context.span);
  const one = { customer, order, time, agent: random.pick(AGENTS) };
  if (random.chance(0.7)) search(context, one);
  if (random.chance(0.8)) {
    const shown = { id: nameOf(order), total: order.total / 100, lines: 1 + random.below(4) };
    read(context, one, 'getOrder', { order: shown });
  }
  if (random.chance(0.3)) {
    const parcel = { carrier: 'DHL', trackingCode: `JJD${digits(random, 12)}` };
    read(context, one, 'track_parcel', parcel);
  }
  if (random.chance(0.55)) write(context, one);
  else if (random.chance(0.45)) laterReturn(context, one);
  if (random.chance(0.4)) {
    one.time += lag(random, 14, 0.9);
    read(context, one, 'getOrder', { order: { id: nameOf(order), state: 'in progress' } });
  }
}

function newOrder(context, customer) {
  const { random } = context;
  context.last += 1 + random.below(3);
  const order = { number: `0${context.last}`, total: cents(random, 85), customer };
  customer.orders.push(order);
  return order;
}

const nameOf = ({ number }) => `SO-25-${number}`;
const keyOf = ({ number }) => `order:${number}`;

function search(context, one) {
  const shown = one.customer.orders.slice(-4);
  decide(context, one, {
    action: 'search_orders',
    input: { email: one.customer.mail },
    outputs: { hits: shown.map((order) => ({ order: nameOf(order), total: order.total / 100 })) },
    holds: shown.map(keyOf),
  });
}

function read(context, one, action, outputs) {
  const input = { order: nameOf(one.order) };
  decide(context, one, { action, input, outputs, holds: [keyOf(one.order)] });
}

function decide({ world, random }, one, { action, input, outputs, holds, isHidden, alternatives }) {
  one.time += lag(random, 0.02, 0.7);
  return world.decide({
    agent: one.agent,
    action,
    time: one.time,
    isHidden,
    holds: [`customer:${one.customer.id}`, ...holds],
    metadata: { ...telemetry(random), session: { customerId: one.customer.id } },
    inputs: { tool_input: input },
    outputs,
    alternatives,
  });
}

/** The customer only asked, and returned the order in the portal later. */
function laterReturn(context, { order, time }) {
  const { random } = context;
  const action = random.pick(['issue_refund', 'cancel_order']);
  const amount = random.chance(0.7) ? order.total : Math.ceil(order.total * 0.4);
  pay(context, order, { action, amount, time: time + lag(random, 60, 0.7), cause: null });
}

/** Denied, or carried out after failed attempts. */
function write(context, one) {
  const { random } = context;
  const { order } = one;
  const action = pickWrite(random);
  const amount = amountsOf(random, order)[action];
  if (action === 'issue_refund' && random.chance(0.5)) {
    const proposal = { value: amount / 100, currency: 'EUR' };
    read(context, one, 'calculate_refund', { proposal, committed: false });
  }
  const isStated = action === 'issue_refund' || action === 'grantPriceMatch';
  const input = {
    order: nameOf(order),
    ...(isStated ? { amount: decimal(amount) } : {}),
    note: random.pick(NOTES),
  };
  const holds = [keyOf(order)];
  if (random.chance(0.05)) {
    const wanted = { ...input, wanted: action };
    const outputs = { status: 'denied' };
    decide(context, one, { action: 'deny_request', input: wanted, outputs, holds });
    return;
  }
  while (random.chance(0.1)) {
    const outputs = { error: { code: 504, message: 'upstream timed out' } };
    decide(context, one, { action, input, outputs, holds });
  }
  const total = random.chance(0.5) ? { orderTotal: order.total / 100 } : {};
  const cause = decide(context, one, {
    action,
    input,
    outputs: { status: 'accepted', ...total },
    holds,
    isHidden: random.chance(0.04),
    alternatives: [
      { action, score: 0.8 },
      { action: 'offer_voucher', score: 0.3 },
    ],
  });
  if (random.chance(0.93)) settle(context, one, { action, amount, cause });
}

function pickWrite(random) {
  let draw = random.next();
  for (const [action, { share }] of Object.entries(WRITES)) {
    draw -= share;
    if (draw < 0) return action;
  }
  return 'issue_refund';
}

/** What each action would move, in cents. */
function amountsOf(random, { total }) {
  return {
    issue_refund: random.chance(0.6) ? total : Math.ceil(total * (0.1 + 0.8 * random.next())),
    cancel_order: total,
    grantPriceMatch: Math.ceil(total * (0.05 + 0.1 * random.next())),
    upgrade_to_express: 990,
    send_replacement: random.pick([490, 690, 1290]),
  };
}

function settle(context, { order, time }, { action, amount, cause }) {
  const { random } = context;
  const isDeducted = action === 'issue_refund' && amount > 900 && random.chance(0.15);
  const paid = isDeducted ? amount - LABEL : amount;
  pay(context, order, { action, amount: paid, time, cause, isDelayed: true });
}

function pay({ world, random }, order, { action, amount, time, cause, isDelayed = false }) {
  const { type, sign, hours, sigma } = WRITES[action];
  const isKnown = random.chance(0.96);
  const isNamed = random.chance(0.35);
  const { customer } = order;
  world.event({
    type,
    amount: sign * amount,
    time: time + (isDelayed ? lag(random, hours, sigma) + MINUTE : 0),
    cause,
    id: digits(random, 16),
    metadata: {
      ...envelope(random),
      ...(isKnown ? random.pick(SPELLINGS)(order.number) : {}),
      ...(isNamed ? { shopperReference: customer.id.replace('-', '') } : {}),
      minor: { value: amount, currency: 'EUR' },
      paymentMethod: random.pick(['visa', 'paypal', 'klarna']),
    },
    holds: [...(isKnown ? [keyOf(order)] : []), ...(isNamed ? [`customer:${customer.id}`] : [])],
  });
}

/** An order that no agent ever saw, of a customer that agents may know. */
function portalReturn(context) {
  const { random } = context;
  const customer = random.pick(context.members);
  context.last += 1;
  const order = { number: `0${context.last}`, total: cents(random, 85), customer };
  const action = random.pick(RETURNS);
  const time = officeTime(random, context.span) + 2 * HOUR;
  pay(context, order, { action, amount: order.total, time, cause: null });
}
