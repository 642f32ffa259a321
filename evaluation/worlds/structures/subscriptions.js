// Subscriptions whose decisions state minor units, and whose renewals follow for a year.
import { decimal } from '../money.js';
import { digits, runNoise, sourceNoise, uuid } from '../noise.js';
import { DAY, HOUR, lag, officeTime } from '../time.js';

const PLANS = [
  ['starter', 990],
  ['team', 1990],
  ['team_plus', 2990],
  ['business', 4900],
  ['scale', 9900],
];
const TALK = ['answerBillingQuestion', 'look_up_subscription', 'SendReminder'];

export const subscriptions = { stories: { subscriber } };

/** A customer with decisions that set a price, each followed by renewals until the next. */
function subscriber(context) {
  const { random } = context;
  const someone = {
    customer: `cus_${random.code(10)}`,
    subscription: `sub_${random.code(14)}`,
    seats: 1 + random.below(12),
    isSilent: random.chance(0.5),
    /** The sign-up was not an agent's. */
    isSelfServed: random.chance(0.15),
  };
  const changes = 1 + random.geometric(0.4);
  let time = officeTime(context.random, context.span);
  const end = time + 365 * DAY;
  for (let change = 0; change < changes && time < end; change++) {
    const plan = random.pick(PLANS);
    const price = plan[1] * someone.seats;
    const isOwn = change === 0 && someone.isSelfServed;
    const cause = isOwn ? null : setPrice(context, someone, { plan, price, change, time });
    const until = change + 1 < changes ? time + (40 + random.below(150)) * DAY : end;
    renewals(context, someone, { price, cause, time, until });
    time = until;
    someone.seats += random.below(3);
  }
}

function setPrice({ world, random }, someone, { plan, price, change, time }) {
  const stated = random.pick([
    { amount_cents: price },
    { amount: price, currency: 'eur' },
    { price: { unit_amount: plan[1], quantity: someone.seats, total_minor: price } },
  ]);
  return world.decide({
    agent: `billing-bot-${1 + random.below(4)}`,
    action: change === 0 ? 'activate_subscription' : random.pick(['changePlan', 'add_seats']),
    time,
    isHidden: random.chance(0.05),
    holds: [someone.subscription, someone.customer],
    metadata: { ...runNoise(random), customer: someone.customer },
    inputs: { ticket: uuid(random), subscription_id: someone.subscription, plan: plan[0] },
    outputs: { ok: true, ...stated },
    alternatives: PLANS.map(([name, unit]) => ({ plan: name, unit_amount: unit })),
  });
}

function renewals({ world, random }, someone, { price, cause, time, until }) {
  let due = time + lag(random, 0.5, 0.8);
  for (; due < until; due += 30 * DAY + random.normal() * HOUR) {
    if (!someone.isSilent && random.chance(0.3))
      talk({ world, random }, someone, due - random.next() * 20 * DAY, time);
    if (random.chance(0.4)) continue;
    const names = random.chance(0.85);
    world.event({
      type: 'invoice.paid',
      id: `in_${random.code(12)}`,
      amount: decimal(price),
      time: due,
      cause,
      metadata: {
        ...sourceNoise(random),
        ...(names ? { subscription: someone.subscription } : { customer: someone.customer }),
        invoice_number: `2025-${digits(random, 6)}`,
      },
      holds: names ? [someone.subscription] : [someone.customer],
    });
    if (random.chance(0.1)) usage({ world, random }, someone, due + random.next() * 10 * DAY);
  }
}

/** Usage is billed whatever anybody decided. */
function usage({ world, random }, someone, time) {
  world.event({
    type: 'usage.billed',
    id: `in_${random.code(12)}`,
    amount: 50 + random.below(4000),
    time,
    metadata: { ...sourceNoise(random), subscription: someone.subscription },
    holds: [someone.subscription],
  });
}

function talk({ world, random }, someone, time, earliest) {
  world.decide({
    agent: `help-bot-${1 + random.below(3)}`,
    action: random.pick(TALK),
    time: Math.max(time, earliest + HOUR),
    holds: [someone.subscription, someone.customer],
    metadata: { ...runNoise(random), customer: someone.customer },
    inputs: { message: 'When is my next invoice due?', subscription_id: someone.subscription },
    outputs: { reply: 'On the date shown in your account.' },
  });
}
