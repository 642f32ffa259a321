// Customers' texts name orders that are not theirs, and attempts fail or are denied before one succeeds.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise, weighed } from '../noise.js';
import { lag, MINUTE, officeTime } from '../time.js';

const REFUSED = [
  { status: 'denied', reason: 'outside of the period' },
  { success: false, error: 'gateway timeout' },
  { decision: { outcome: 'declined' } },
  { approved: false },
];

export const claims = { prepare: () => ({ orders: [] }), stories: { request } };

/** A refund by the shop itself, of an order that texts may name, or a complaint. */
function request(context) {
  const { random, span, orders } = context;
  const order = `AB${digits(random, 6)}`;
  orders.push(order);
  if (random.chance(0.2)) {
    pay(context, { order, amount: cents(random, 90), time: officeTime(random, span), cause: null });
  } else complaint(context, order);
}

function complaint(context, order) {
  const { random } = context;
  const amount = cents(random, 90);
  let time = officeTime(random, context.span);
  const attempt = (outputs, isHidden = false) => {
    const ref = decide(context, { order, amount, time, outputs, isHidden });
    time += random.logNormal(40, 1) * MINUTE;
    return ref;
  };
  while (random.chance(0.5)) attempt(random.pick(REFUSED));
  const [decided, isGranted] = [time, !random.chance(0.15)];
  if (isGranted) {
    const stated = random.chance(0.8) ? { refund_amount: decimal(amount) } : {};
    const cause = attempt({ status: 'approved', ...stated }, random.chance(0.05));
    pay(context, { order, amount, time: decided + lag(random, 26, 0.7), cause });
  }
  // People ask again although it was granted.
  if (random.chance(0.3)) attempt({ status: 'denied', reason: 'already refunded' });
  gossip(context, time + lag(random, 5, 1));
}

function decide({ world, random }, { order, amount, time, outputs, isHidden }) {
  return world.decide({
    agent: `care-${1 + random.below(6)}`,
    action: random.pick(['refund_request', 'refund_request', 'goodwillCredit']),
    time,
    isHidden,
    holds: [order],
    metadata: { ...runNoise(random), channel: random.pick(['mail', 'chat']) },
    inputs: { order_id: order, requested: decimal(amount), message: 'It arrived broken.' },
    outputs,
    alternatives: weighed(random, 'refund', ['voucher', 'deny']),
  });
}

/** A message that names several orders of other people; nothing follows from it. */
function gossip({ world, random, orders }, time) {
  const named = Array.from({ length: 1 + random.below(4) }, () => random.pick(orders));
  world.decide({
    agent: `care-${1 + random.below(6)}`,
    action: random.pick(['answer', 'refund_request']),
    time,
    holds: named,
    metadata: { ...runNoise(random), channel: 'mail' },
    inputs: {
      message: `I am owed money for ${named.join(' and ')}! My friend got ${20 + random.below(90)}.00 at once.`,
    },
    outputs: random.chance(0.7)
      ? { status: 'closed', reply: 'We cannot find such a claim under your name.' }
      : { status: 'denied' },
  });
}

function pay({ world, random }, { order, amount, time, cause }) {
  world.event({
    type: 'RefundPosted',
    amount: -amount,
    time,
    cause,
    metadata: { ...sourceNoise(random), order, note: `Refund for ${order}` },
    holds: [order],
  });
}
