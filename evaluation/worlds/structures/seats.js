// Seats are paid every month whoever decides nothing; changes are charged in part, and failed charges are retried elsewhere.
import { decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, lag, MINUTE, officeTime } from '../time.js';

const PRICES = [900, 1500, 2900];
const CYCLE = 30 * DAY;

export const seats = { stories: { workspace } };

/** One subscription over some months. */
function workspace(context) {
  const { random } = context;
  const one = {
    number: `SUB-${digits(random, 5)}`,
    customer: `cus_${random.code(14)}`,
    email: `${random.code(7).toLowerCase()}@example.com`,
    seats: 3 + random.below(40),
    price: random.pick(PRICES),
    cycles: 0,
  };
  let renewal = officeTime(random, context.span);
  for (let left = 2 + random.geometric(3); left > 0; left--) {
    renew(context, one, renewal);
    for (let talks = random.geometric(0.7); talks > 0; talks--) {
      talk(context, one, renewal + random.next() * CYCLE);
    }
    if (random.chance(0.4)) addSeats(context, one, renewal, renewal + random.next() * CYCLE);
    renewal += CYCLE;
  }
  if (random.chance(0.4)) cancel(context, one, renewal - CYCLE, renewal - random.next() * 20 * DAY);
}

function renew(context, one, time) {
  const { random } = context;
  const amount = one.seats * one.price;
  one.cycles += 1;
  const invoice = `in_${random.code(14)}`;
  if (random.chance(0.8)) {
    charge(context, one, { amount, time, cause: null, reason: 'cycle', invoice });
    return;
  }
  let later = time;
  let cause = null;
  for (let attempt = 1; ; attempt++) {
    later += lag(random, 30, 0.5);
    const isLast = random.chance(0.5);
    if (!isLast && attempt > 3) return;
    const outputs = isLast
      ? { result: 'submitted', due: amount }
      : { result: 'declined', code: random.pick(['51', '05', '14']), due: amount };
    cause = decide(context, one, {
      action: 'retry_payment',
      time: later,
      outputs,
      inputs: { invoice },
      isHidden: isLast && random.chance(0.05),
      holds: [invoice],
    });
    if (isLast) break;
  }
  const isOther = random.chance(0.5);
  charge(context, one, { amount, time: later + MINUTE, cause, reason: 'retry', invoice, isOther });
}

/** Charged for the rest of the cycle, within the hour; some amounts are stated. */
function addSeats(context, one, since, time) {
  const { random } = context;
  const added = 1 + random.below(8);
  const amount = Math.round((added * one.price * (since + CYCLE - time)) / CYCLE);
  if (amount < 50) return;
  const stated = random.chance(0.5) ? { prorated: amount } : {};
  const cause = decide(context, one, {
    action: random.pick(['update_seats', 'update_seats', 'upgrade_plan']),
    time,
    inputs: { from: one.seats, to: one.seats + added },
    outputs: { done: true, ...stated },
    isHidden: random.chance(0.05),
  });
  one.seats += added;
  const invoice = `in_${random.code(14)}`;
  const at = time + random.logNormal(20, 0.8) * MINUTE;
  charge(context, one, { amount, time: at, cause, reason: 'update', invoice });
}

/** The rest of the cycle is paid back. */
function cancel(context, one, since, time) {
  const { random } = context;
  const rest = Math.round((one.seats * one.price * (since + CYCLE - time)) / CYCLE);
  if (rest < 50 || time < since) return;
  const cause = decide(context, one, {
    action: 'cancel_subscription',
    time,
    inputs: { reason: random.pick(['price', 'closing', 'competitor']) },
    outputs: { cancelled: true, ...(random.chance(0.5) ? { credit: decimal(rest) } : {}) },
    isHidden: random.chance(0.05),
  });
  charge(context, one, { amount: -rest, time: time + 2 * DAY, cause, reason: 'refund' });
}

function talk(context, one, time) {
  const { random } = context;
  decide(context, one, {
    action: random.pick(['answer_question', 'apply_tag', 'offer_annual_plan']),
    time,
    inputs: { question: 'How do I add a colleague?' },
    outputs: { sent: true, monthly: decimal(one.seats * one.price) },
  });
}

function decide({ world, random }, one, { action, time, inputs, outputs, ...rest }) {
  return world.decide({
    agent: `success-${1 + random.below(4)}`,
    action,
    time,
    ...rest,
    metadata: { ...runNoise(random), subscription: one.number },
    inputs: { ...inputs, contact: one.email, customer: one.customer },
    outputs,
  });
}

const REASONS = {
  cycle: { here: 'subscription_cycle', there: 'Subscription' },
  update: { here: 'subscription_update', there: 'CardOnFile' },
  retry: { here: 'manual', there: 'UnscheduledCardOnFile' },
  refund: { here: 'credit', there: 'Refund' },
};

/** Two processors, each with names and references of its own. */
function charge({ world, random }, one, { amount, time, cause, reason, invoice, isOther }) {
  const isThere = isOther ?? one.number.charCodeAt(5) % 3 === 0;
  const { here, there } = REASONS[reason];
  world.event({
    source: isThere ? 'adyen' : 'stripe',
    type: isThere ? 'AUTHCAP' : amount < 0 ? 'charge.refunded' : 'invoice.paid',
    id: isThere ? digits(random, 16) : undefined,
    amount,
    time,
    cause,
    metadata: {
      ...sourceNoise(random),
      ...(isThere
        ? {
            merchantReference: `${one.number}-${String(one.cycles).padStart(3, '0')}`,
            shopper: one.email.toUpperCase(),
            recurringProcessingModel: there,
          }
        : { customer: one.customer, billing_reason: here, ...(invoice ? { invoice } : {}) }),
    },
    holds: !isThere && reason === 'retry' ? [invoice] : [],
  });
}
