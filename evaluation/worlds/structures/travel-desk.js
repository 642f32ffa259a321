// A travel agent works in chains of calls, and instalments, taxes, fees and penalties belong to different calls of a chain.
import { cents, decimal } from '../money.js';
import { digits, envelope, telemetry } from '../noise.js';
import { DAY, lag, officeTime } from '../time.js';

const SEARCHES = ['search_flights', 'search_hotels', 'get_visa_rules'];
const FROM = ['BER', 'LIS', 'OSL'];
const TO = ['JFK', 'NRT', 'DEL'];
/** Cents. */
const BAG_FEES = [2900, 3500, 4900];
const PENALTY = 7500;
const COMPENSATIONS = [25_000, 40_000, 60_000];

export const travelDesk = { member: newTraveller, stories: { selfBooked, trip } };

function newTraveller(random) {
  return `TRV${digits(random, 6)}`;
}

const taxOf = (fare) => Math.round(fare * 0.19);
const isUnrecorded = (random) => random.chance(0.03);

function trip(context) {
  const { random } = context;
  const one = {
    traveller: random.pick(context.members),
    locator: random.code(6),
    conversation: `conv-${digits(random, 9)}`,
    time: officeTime(random, context.span),
    fare: cents(random, 420, 0.5),
  };
  for (let left = 1 + random.geometric(3.2); left > 0; left--) search(context, one);
  call(context, one, {
    action: 'price_quote',
    input: { cabin: 'economy' },
    outputs: { quote: { fare: one.fare / 100, tax: taxOf(one.fare) / 100 } },
    isBooked: false,
  });
  if (random.chance(0.35)) return;
  call(context, one, { action: 'hold_seat', outputs: { expires_in: 1800 } });
  const part = payInParts(context, one);
  issueTicket(context, one);
  for (let left = random.geometric(0.5); left > 0; left--) addBag(context, one);
  for (let left = random.geometric(0.7); left > 0; left--) {
    call(context, one, {
      action: 'get_booking',
      outputs: { segments: 2, balance: decimal(part) },
    });
  }
  if (random.chance(0.18)) rebook(context, one);
  if (random.chance(0.12)) compensate(context, one);
}

function search(context, one) {
  const { random } = context;
  call(context, one, {
    action: random.pick(SEARCHES),
    input: { from: random.pick(FROM), to: random.pick(TO) },
    outputs: { offers: 3 + random.below(20), cheapest: decimal(one.fare) },
    isBooked: false,
  });
}

/** @returns {number} cents of one instalment */
function payInParts(context, one) {
  const { random } = context;
  const action = 'confirm_payment_plan';
  const parts = random.pick([1, 3, 3, 4]);
  const part = Math.round(one.fare / parts);
  while (random.chance(0.12)) {
    const outputs = { status: 'declined', code: 'insufficient_funds' };
    call(context, one, { action, input: { instalments: parts }, outputs });
  }
  const input = { instalments: parts, total: decimal(one.fare) };
  const outputs = { status: 'confirmed' };
  const cause = call(context, one, { action, input, outputs, isHidden: isUnrecorded(random) });
  for (let at = 0; at < parts; at++) {
    const time = one.time + at * 30 * DAY + lag(random, 4, 0.7);
    pay(context, one, { type: 'payment.instalment', amount: part, time, cause });
  }
  return part;
}

function issueTicket(context, one) {
  const { random } = context;
  const cause = call(context, one, {
    action: 'issue_ticket',
    outputs: { eticket: `220-${digits(random, 10)}` },
    isHidden: isUnrecorded(random),
  });
  if (!random.chance(0.8)) return;
  const time = one.time + lag(random, 70, 0.4);
  pay(context, one, { type: 'tax.remitted', amount: -taxOf(one.fare), time, cause });
}

function addBag(context, one) {
  const { random } = context;
  const fee = random.pick(BAG_FEES);
  const cause = call(context, one, {
    action: 'add_baggage',
    input: { pieces: 1 },
    outputs: { price: fee / 100, currency: 'EUR' },
    isHidden: isUnrecorded(random),
  });
  const time = one.time + lag(random, 6, 0.7);
  pay(context, one, { type: 'fee.ancillary', amount: fee, time, cause });
}

function rebook(context, one) {
  const { random } = context;
  one.time += lag(random, 120, 0.6);
  call(context, one, { action: 'get_booking', outputs: { segments: 2 } });
  const cause = call(context, one, {
    action: 'rebook',
    input: { reason: 'changed plans' },
    outputs: { penalty: { amount: PENALTY, minor: true } },
    isHidden: isUnrecorded(random),
  });
  const time = one.time + lag(random, 5, 0.7);
  pay(context, one, { type: 'fee.penalty', amount: PENALTY, time, cause });
}

/** The airline pays for its own delay. */
function compensate(context, one) {
  const { random } = context;
  const amount = random.pick(COMPENSATIONS);
  const time = one.time + lag(random, 400, 0.5);
  pay(context, one, { type: 'compensation.airline', amount, time, cause: null });
}

function call({ world, random }, one, details) {
  const { action, input = {}, outputs, isBooked = true, isHidden = false } = details;
  one.time += lag(random, 0.03, 0.8);
  const values = { ...input, ...(isBooked ? { recordLocator: one.locator } : {}) };
  return world.decide({
    agent: 'trip-planner',
    action,
    time: one.time,
    isHidden,
    holds: [
      `traveller:${one.traveller}`,
      `conv:${one.conversation}`,
      ...(isBooked ? [`pnr:${one.locator}`] : []),
    ],
    transaction: `conv:${one.conversation}`,
    metadata: {
      ...telemetry(random),
      conversation_id: one.conversation,
      user: { travellerId: one.traveller },
    },
    inputs: { function: { name: action, arguments: JSON.stringify(values) }, ...values },
    outputs,
  });
}

/** Names booking and traveller, the booking in a text, or the conversation. */
function pay({ world, random }, one, { type, amount, time, cause }) {
  const { locator, traveller, conversation } = one;
  const way = random.pick(['field', 'field', 'field', 'text', 'conversation']);
  const title = `TRIPDESK ${type.split('.')[1].toUpperCase()}`;
  const sum = `${decimal(Math.abs(amount))} EUR`;
  const known = {
    field: { booking: { locator, travellerId: traveller } },
    text: { narrative: `${title} PNR/${locator} ${sum}` },
    conversation: {
      custom: { ref: conversation.replace('conv-', 'CONV_') },
      travellerId: traveller,
    },
  };
  const holds = {
    field: [`pnr:${locator}`, `traveller:${traveller}`],
    text: [`pnr:${locator}`],
    conversation: [`conv:${conversation}`, `traveller:${traveller}`],
  };
  world.event({
    type,
    amount,
    time,
    cause,
    metadata: { ...envelope(random), ...known[way] },
    holds: holds[way],
  });
}

/** On the website: no call at all, though agents may know the traveller. */
function selfBooked({ world, random, span, members }) {
  const traveller = random.chance(0.8) ? random.pick(members) : newTraveller(random);
  const locator = random.code(6);
  const fare = cents(random, 420, 0.5);
  const time = officeTime(random, span) + DAY;
  const rows = [
    { type: 'payment.instalment', amount: fare },
    { type: 'tax.remitted', amount: -taxOf(fare) },
  ];
  if (random.chance(0.4)) rows.push({ type: 'fee.ancillary', amount: random.pick(BAG_FEES) });
  for (const { type, amount } of rows) {
    world.event({
      type,
      amount,
      time: time + lag(random, 5, 0.8),
      metadata: { ...envelope(random), booking: { locator, travellerId: traveller } },
      holds: [`pnr:${locator}`, `traveller:${traveller}`],
    });
  }
}
