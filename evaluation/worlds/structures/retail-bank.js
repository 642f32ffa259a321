// A bank: the same trigger brings decisions of many agents and unrelated bookings, and they share the customer alone.
import { digits, hex, telemetry } from '../noise.js';
import { lag, officeTime } from '../time.js';

/** Cents. */
const FEES = [490, 990, 1250, 1990];
const IDLE_AGENTS = ['nba-agent', 'limits-agent', 'aml-agent', 'kyc-agent', 'care-agent'];
const OTHER_BOOKINGS = ['card.purchase', 'atm.withdrawal', 'interest.charged', 'standing_order'];

export const retailBank = {
  member: newCustomer,
  stories: { burst },
};

/** The payday takes a draw, but shows in no payload. */
function newCustomer(random) {
  const number = digits(random, 8);
  return { number, weight: random.logNormal(1, 0.8), payday: random.below(28) };
}

/** Busy ones more often. */
function pickCustomer(random, customers) {
  let draw = random.next() * customers.reduce((sum, { weight }) => sum + weight, 0);
  for (const customer of customers) {
    draw -= customer.weight;
    if (draw < 0) return customer;
  }
  return customers[0];
}

function burst(context) {
  const { random } = context;
  const customer = pickCustomer(random, context.members);
  const one = { customer, start: officeTime(random, context.span) };
  for (let left = 1 + random.geometric(1.8); left > 0; left--) idle(context, one);
  one.isHidden = random.chance(0.04);
  if (random.chance(0.42)) waiveFee(context, one);
  else if (random.chance(0.15)) refuseToWaive(context, one);
  if (random.chance(0.33)) openDeposit(context, one);
  if (random.chance(0.3)) replaceCard(context, one);
  unrelated(context, one);
}

/** Moves nothing. */
function idle(context, one) {
  const { random } = context;
  const agent = random.pick(IDLE_AGENTS);
  decide(context, one, { agent, ...idleCalls(random)[agent] });
}

function idleCalls(random) {
  return {
    'nba-agent': {
      action: 'send_offer',
      inputs: { offer: { product: 'consumer_loan', id: `OF${digits(random, 6)}` } },
      outputs: { sent: true },
    },
    'limits-agent': {
      action: 'set_overdraft_limit',
      inputs: { limit: 500 * (1 + random.below(10)) },
      outputs: { ok: true },
    },
    'aml-agent': {
      action: 'review_transactions',
      inputs: { window_days: 30 },
      outputs: {
        score: Math.round(random.next() * 100) / 100,
        largest: random.pick(FEES) / 100,
      },
    },
    'kyc-agent': {
      action: 'refresh_profile',
      inputs: { reason: 'periodic' },
      outputs: { changed: random.chance(0.2) },
    },
    'care-agent': {
      action: 'lookup_fees',
      inputs: {},
      outputs: { fees: [random.pick(FEES) / 100, random.pick(FEES) / 100] },
    },
  };
}

function waiveFee(context, one) {
  const { random } = context;
  const fee = random.pick(FEES);
  const { ref, time } = decide(context, one, {
    agent: 'care-agent',
    action: 'waive_fee',
    inputs: {
      fee: { code: `F${fee}`, amount: fee / 100 },
      reason: random.pick(['goodwill', 'bank error']),
    },
    outputs: { posted: true },
    isHidden: one.isHidden,
  });
  bookReversal(context, one, { amount: fee, time: time + lag(random, 10, 0.7), cause: ref });
}

function refuseToWaive(context, one) {
  decide(context, one, {
    agent: 'care-agent',
    action: 'waive_fee',
    inputs: { fee: { amount: context.random.pick(FEES) / 100 } },
    outputs: { posted: false, denied_by: 'policy' },
  });
}

function openDeposit(context, one) {
  const { random } = context;
  const principal = pickPrincipal(random);
  const { ref, time } = decide(context, one, {
    agent: 'savings-agent',
    action: 'openTermDeposit',
    inputs: { principal: principal / 100, months: random.pick([6, 12, 24]) },
    outputs: { contract: `TD${digits(random, 7)}` },
    isHidden: one.isHidden,
  });
  bookDeposit(context, one, { amount: principal, time: time + lag(random, 22, 0.6), cause: ref });
}

const pickPrincipal = (random) => 50_000 * (1 + random.below(40));

function replaceCard(context, one) {
  const { random } = context;
  const express = random.chance(0.5);
  const { ref, time } = decide(context, one, {
    agent: 'cards-agent',
    action: 'replace_card',
    inputs: { card: { last4: digits(random, 4) }, express },
    outputs: { ordered: true },
    isHidden: one.isHidden,
  });
  book(context, one, {
    type: 'card.fee',
    amount: express ? -1500 : -1000,
    time: time + lag(random, 60, 0.5),
    cause: ref,
    text: 'Ersatzkarte',
  });
}

/** By the customer or by branch staff, in the same days. */
function unrelated(context, one) {
  const { random } = context;
  const { start } = one;
  if (random.chance(0.5)) {
    const type = random.pick(OTHER_BOOKINGS);
    const amount = -(500 + random.below(30_000));
    book(context, one, { type, amount, time: start + lag(random, 12, 1), cause: null, text: '' });
  }
  if (random.chance(0.1)) {
    const amount = random.pick(FEES);
    bookReversal(context, one, { amount, time: start + lag(random, 20, 1), cause: null });
  }
  if (random.chance(0.1)) {
    const amount = pickPrincipal(random);
    bookDeposit(context, one, { amount, time: start + lag(random, 24, 1), cause: null });
  }
}

function decide({ world, random }, { customer, start }, details) {
  const time = start + lag(random, 3, 1);
  const segments = ['mass', 'affluent'];
  const ref = world.decide({
    ...details,
    time,
    holds: [`party:${customer.number}`],
    metadata: {
      ...telemetry(random),
      bank: { party: `PK${customer.number}`, segment: random.pick(segments) },
    },
  });
  return { ref, time };
}

const bookReversal = (context, one, details) =>
  book(context, one, { type: 'fee.reversal', text: 'Storno Entgelt', ...details });

const bookDeposit = (context, one, details) =>
  book(context, one, { type: 'deposit.booked', text: 'Festgeld Anlage', ...details });

function book({ world, random }, { customer }, { type, amount, time, cause, text }) {
  world.event({
    type,
    amount,
    time,
    cause,
    id: `CB${digits(random, 12)}`,
    metadata: {
      bookingKey: hex(random, 10),
      party: { number: `PK${customer.number}`, branch: `00${1 + random.below(40)}` },
      remittance: text,
      channel: random.pick(['online', 'branch', 'batch']),
    },
    holds: [`party:${customer.number}`],
  });
}
