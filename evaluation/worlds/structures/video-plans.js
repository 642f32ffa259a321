// A video host sells monthly plans: agents set plan, seats and discount in minor units, and renewals follow for months.
import { digits, envelope, telemetry } from '../noise.js';
import { DAY, lag, MINUTE, officeTime } from '../time.js';

/** Price of a seat and month in cents. */
const PLANS = [
  { plan: 'starter', price: 1200 },
  { plan: 'plus', price: 2500 },
  { plan: 'studio', price: 5900 },
  { plan: 'agency', price: 14_900 },
];
const DISCOUNTS = [0.1, 0.2, 0.25];
const CHANGES = {
  plan: { action: 'change_plan', agent: 'sales-chat' },
  seats: { action: 'update_quantity', agent: 'sales-chat' },
  discount: { action: 'apply_retention_discount', agent: 'retention-agent' },
};
const TALK = ['answer_question', 'get_usage', 'retrieve_customer', 'search_docs'];
const QUESTIONS = [
  'How do I embed a player?',
  'Why was I charged twice?',
  'Can I export analytics?',
];
/** The account of the host itself, in every payload. */
const MERCHANT = 'acct_1Nv0FGQ9RKHgCVdK';

export const videoPlans = { stories: { account } };

function account(context) {
  const { random } = context;
  const id = `cus_${random.code(14)}`;
  const start = officeTime(random, context.span);
  const one = { id, prefix: random.code(8), invoices: 0 };
  for (let left = 1 + random.geometric(0.5); left > 0; left--) {
    subscription(context, one, start + lag(random, 100, 1.2));
  }
  for (let left = 2 + random.geometric(10); left > 0; left--) talk(context, one, start);
}

function talk({ world, random }, { id, prefix }, start) {
  const isList = random.chance(0.3);
  const first = `${prefix}-0001`;
  world.decide({
    agent: 'help-center-agent',
    action: random.pick(isList ? ['list_invoices'] : TALK),
    time: start + random.next() * 120 * DAY,
    holds: [`customer:${id}`, ...(isList ? [`invoice:${first}`] : [])],
    metadata: telemetry(random),
    inputs: { args: { customer: id }, question: random.pick(QUESTIONS) },
    outputs: isList
      ? { data: [{ number: first, amount_due: random.pick(PLANS).price }] }
      : { resolved: random.chance(0.8) },
  });
}

function subscription(context, owner, start) {
  const { random } = context;
  const one = {
    owner,
    id: `sub_${random.code(16)}`,
    plan: random.below(3),
    seats: 1 + random.geometric(1.2),
    discount: 0,
  };
  let time = start;
  let cause = null;
  if (random.chance(0.62)) {
    const isHidden = random.chance(0.04);
    const details = { action: 'create_subscription', agent: 'sales-chat', time, isHidden };
    cause = decide(context, one, details);
  }
  time += lag(random, 0.2, 1);
  one.isDetailed = random.chance(0.6);
  let reason = 'subscription_create';
  for (let left = 1 + random.below(7); left > 0; left--) {
    const invoice = invoicePaid(context, one, { time, cause, reason });
    if (random.chance(0.05)) {
      refund(context, one, { invoice, time: time + lag(random, 60, 0.8) });
    }
    const renewal = time + 30 * DAY + lag(random, 1, 0.5);
    if (random.chance(0.22)) cause = change(context, one, time + (3 + 25 * random.next()) * DAY);
    reason = 'subscription_cycle';
    time = renewal;
  }
}

/** By an agent, or by the customer. @returns {string | null} the cause of the payments from now on */
function change(context, one, time) {
  const { random } = context;
  const kind = random.pick(Object.keys(CHANGES));
  if (kind === 'plan') one.plan = (one.plan + 1) % PLANS.length;
  else if (kind === 'seats') one.seats += 1 + random.below(3);
  else one.discount = random.pick(DISCOUNTS.filter((other) => other !== one.discount));
  if (!random.chance(0.6)) return null;
  return decide(context, one, { ...CHANGES[kind], time, isHidden: random.chance(0.05) });
}

const priceOf = ({ plan, seats, discount }) =>
  Math.round(PLANS[plan].price * seats * (1 - discount));

function decide({ world, random }, one, { action, agent, time, isHidden }) {
  const other = PLANS[(one.plan + 1) % PLANS.length];
  const details = {
    agent,
    action,
    holds: [`customer:${one.owner.id}`, `sub:${one.id}`],
    metadata: { ...telemetry(random), account: MERCHANT },
    inputs: { args: termsOf(one, action) },
    alternatives: [
      { action, score: 0.7 },
      { action: 'create_subscription', args: { unit_amount: other.price }, score: 0.2 },
    ],
  };
  if (random.chance(0.06)) {
    const outputs = { error: { type: 'card_error', code: 'authentication_required' } };
    world.decide({ ...details, time: time - 2 * MINUTE, outputs });
  }
  const latest = { amount_due: priceOf(one), currency: 'usd' };
  const outputs = { id: one.id, status: 'active', latest_invoice: latest };
  return world.decide({ ...details, time, isHidden, outputs });
}

function termsOf({ owner, id, plan, seats, discount }, action) {
  const { plan: name, price } = PLANS[plan];
  const discounts = [{ percent_off: 100 * discount, duration: 'forever' }];
  return {
    customer: owner.id,
    ...(action === 'create_subscription' ? {} : { subscription: id }),
    items: [{ price: `price_${name}_monthly_v3`, unit_amount: price, quantity: seats }],
    ...(discount > 0 ? { discounts } : {}),
  };
}

/** @returns {string} number of the invoice */
function invoicePaid({ world, random }, one, { time, cause, reason }) {
  const { owner } = one;
  const { plan, price } = PLANS[one.plan];
  owner.invoices += 1;
  const number = `${owner.prefix}-${String(owner.invoices).padStart(4, '0')}`;
  const details = { parent: { subscription_details: { subscription: one.id } } };
  world.event({
    type: 'invoice.paid',
    amount: priceOf(one),
    time,
    id: `evt_1${random.code(22)}`,
    cause,
    metadata: {
      ...envelope(random),
      account: MERCHANT,
      invoice: {
        number,
        customer: owner.id,
        billing_reason: reason,
        ...(one.isDetailed ? details : {}),
        lines: [`${one.seats} × ${plan} (at $${(price / 100).toFixed(2)} / month)`],
      },
    },
    holds: [
      `customer:${owner.id}`,
      `invoice:${number}`,
      ...(one.isDetailed ? [`sub:${one.id}`] : []),
    ],
  });
  return number;
}

/** An agent refunds by number of the invoice, or a person does. */
function refund({ world, random }, one, { invoice, time }) {
  const amount = priceOf(one);
  let cause = null;
  if (random.chance(0.6)) {
    cause = world.decide({
      agent: 'billing-support',
      action: 'refund_invoice',
      time: time - lag(random, 1, 0.5),
      holds: [`invoice:${invoice}`],
      metadata: telemetry(random),
      inputs: { args: { invoice, amount, reason: 'requested_by_customer' } },
      outputs: { refund: { status: 'pending' } },
    });
  }
  world.event({
    type: 'charge.refunded',
    amount: -amount,
    time,
    cause,
    id: `evt_1${random.code(22)}`,
    metadata: {
      ...envelope(random),
      account: MERCHANT,
      charge: {
        customer: one.owner.id,
        description: `Refund for invoice ${invoice}`,
        receipt: digits(random, 8),
      },
    },
    holds: [`customer:${one.owner.id}`, `invoice:${invoice}`],
  });
}
