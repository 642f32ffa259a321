// Agents score and decide every checkout, and weeks later chargebacks name a payment, or a card, a day and a sum.
import { cents, decimal } from '../money.js';
import { digits, hex, telemetry } from '../noise.js';
import { DAY, dayOf, HOUR, lag, officeTime } from '../time.js';

const BINS = ['457173', '516730', '401288', '522222'];
const REASON_CODES = ['10.4', '13.1', '4837'];
/** Cents. */
const DISPUTE_FEE = 1500;
const REVIEW_FEE = 250;

export const cardScreening = { member: newCard, stories: { checkout } };

function newCard(random) {
  return {
    token: `tok_${hex(random, 12)}`,
    last4: digits(random, 4),
    bin: random.pick(BINS),
    user: `u-${digits(random, 7)}`,
  };
}

function checkout(context) {
  const { random } = context;
  const one = {
    card: random.pick(context.members),
    amount: cents(random, 95, 0.8),
    payment: hex(random, 16),
    time: officeTime(random, context.span),
  };
  one.day = dayOf(one.time);
  if (random.next() < 0.16) passedByRules(context, one);
  else screen(context, one);
}

/** By the rule engine without an agent, or it came by phone; an agent may have profiled the card. */
function passedByRules(context, one) {
  const { world, random } = context;
  if (random.chance(0.7)) {
    const { token } = one.card;
    world.decide({
      agent: 'risk-agent',
      action: 'profile_card',
      time: one.time,
      holds: [`card:${token}`],
      metadata: telemetry(random),
      inputs: { card: { token } },
      outputs: { velocity: random.below(9), risk: 'low' },
    });
  }
  const time = one.time + (10 + 80 * random.next()) * DAY;
  const isById = pickWay(random);
  book(context, one, { type: 'chargeback', amount: -one.amount, time, cause: null, isById });
  if (random.chance(0.5)) disputeFee(context, one, { time, cause: null, isById: pickWay(random) });
}

/** Whether an event states the number of the payment, or card, day and sum. */
const pickWay = (random) => random.pick([true, true, false]);

function screen(context, one) {
  const { random } = context;
  const agent = 'risk-agent';
  decide(context, one, {
    agent,
    action: 'score_payment',
    outputs: { score: Math.round(random.next() * 1000) / 1000 },
  });
  if (random.chance(0.3)) {
    decide(context, one, {
      agent,
      action: 'lookup_device',
      inputs: { device: hex(random, 10) },
      outputs: { seen: random.below(20) },
    });
  }
  const draw = random.next();
  if (draw < 0.25) {
    decide(context, one, { agent, action: 'block_payment', outputs: { verdict: 'blocked' } });
    return;
  }
  const isHidden = random.chance(0.05);
  const outputs = { verdict: 'approved' };
  const cause =
    draw < 0.45
      ? release(context, one, isHidden)
      : decide(context, one, { agent, action: 'approve_payment', outputs, isHidden });
  if (random.chance(0.45)) dispute(context, one, cause);
}

/** After a review, whose fee follows within hours. @returns {string} the decision */
function release(context, one, isHidden) {
  const { random } = context;
  decide(context, one, {
    agent: 'risk-agent',
    action: 'send_to_review',
    outputs: { verdict: 'review' },
  });
  one.time += lag(random, 3, 0.8);
  const cause = decide(context, one, {
    agent: 'review-agent',
    action: 'release_payment',
    inputs: { note: 'address verified' },
    outputs: { verdict: 'approved' },
    isHidden,
  });
  if (random.chance(0.6)) {
    const time = one.time + lag(random, 9, 0.6);
    book(context, one, { type: 'review.fee', amount: -REVIEW_FEE, time, cause, isById: true });
  }
  return cause;
}

function dispute(context, one, cause) {
  const { random } = context;
  const time = one.time + (10 + 75 * random.next()) * DAY;
  const isById = pickWay(random);
  book(context, one, { type: 'chargeback', amount: -one.amount, time, cause, isById });
  if (random.chance(0.5)) disputeFee(context, one, { time, cause, isById: true });
  if (random.chance(0.35)) {
    one.time = time + lag(random, 60, 0.5);
    contest(context, one);
  } else if (random.chance(0.2)) {
    one.time = time + lag(random, 60, 0.5);
    const outputs = { accepted: true };
    decide(context, one, { agent: 'dispute-agent', action: 'accept_dispute', outputs });
  }
}

function disputeFee(context, one, { time, ...details }) {
  const amount = -DISPUTE_FEE;
  book(context, one, { type: 'chargeback.fee', amount, time: time + HOUR, ...details });
}

function contest(context, one) {
  const { random } = context;
  const cause = decide(context, one, {
    agent: 'dispute-agent',
    action: random.chance(0.5) ? 'submit_evidence' : 'represent_dispute',
    inputs: { files: 1 + random.below(5) },
    outputs: { submitted: true },
  });
  if (!random.chance(0.6)) return;
  const time = one.time + (12 + 25 * random.next()) * DAY;
  const isById = pickWay(random);
  book(context, one, { type: 'chargeback.reversed', amount: one.amount, time, cause, isById });
}

function decide({ world, random }, one, { agent, action, inputs = {}, outputs, isHidden = false }) {
  const { card, payment, amount } = one;
  one.time += lag(random, 0.01, 0.9);
  return world.decide({
    agent,
    action,
    time: one.time,
    isHidden,
    holds: [`pay:${payment}`, `card:${card.token}`],
    metadata: telemetry(random),
    inputs: {
      payment: {
        id: `pay_${payment}`,
        amount: { value: amount, exponent: 2 },
        card: { token: card.token, bin: card.bin, last4: card.last4 },
      },
      account: card.user,
      ...inputs,
    },
    outputs,
  });
}

function book({ world, random }, one, { type, amount, time, cause, isById }) {
  const { card, payment } = one;
  const isBoth = isById && random.chance(0.5);
  const spelled = random.chance(0.4) ? `pay_${payment}` : `PAY-${payment.toUpperCase()}`;
  const byId = { acquirerReference: spelled, ...(isBoth ? { cardToken: card.token } : {}) };
  const byCard = {
    pan: `${card.bin}******${card.last4}`,
    cardToken: card.token,
    txnDate: one.day,
    txnAmount: decimal(one.amount),
  };
  world.event({
    type,
    amount,
    time,
    cause,
    id: `CB${digits(random, 11)}`,
    metadata: {
      arn: digits(random, 23),
      reasonCode: random.pick(REASON_CODES),
      ...(isById ? byId : byCard),
    },
    holds: [
      ...(isById ? [`pay:${payment}`] : []),
      ...(isBoth || !isById ? [`card:${card.token}`] : []),
    ],
  });
}
