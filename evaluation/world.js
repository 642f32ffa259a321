// A simulated company: its agents decide, money moves, and the cause of each movement is known.
import { createRandom } from './random.js';

const START = Date.UTC(2025, 0, 6);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 180;
const AGENTS = 14;

/** Actions with the payments that follow: how often, and how late (median hours, sigma of the log). */
const ACTIONS = {
  take_order: { event: 'payment', sign: 1, median: 0.6, sigma: 1.1, amount: 120 },
  approve_refund: { event: 'refund', sign: -1, median: 22, sigma: 0.8, amount: 80 },
  issue_credit: { event: 'credit', sign: -1, median: 5, sigma: 1.2, amount: 25 },
  change_order: { event: 'payment', sign: 1, median: 2, sigma: 1.2, amount: 45 },
  waive_check: { event: 'chargeback', sign: -1, median: 110, sigma: 0.5, amount: 150 },
};
const TALK = ['answer_question', 'check_status', 'escalate', 'send_reminder'];
const RATES = { USD: 1, EUR: 1.08, GBP: 1.27 };

/**
 * @typedef {{ ref: string, agent_id: string, action_type: string, timestamp: number,
 *   metadata: object, inputs: object, outputs: object }} Decision
 * @typedef {{ external_id: string, event_type: string, amount: string, currency: string,
 *   timestamp: number, metadata: object, worth: number, cause: string | null,
 *   kind: 'caused' | 'stranger' | 'known' | 'unrecorded' }} Event
 */

/**
 * @param {number} seed
 * @param {number} size number of events
 * @returns {{ decisions: Decision[], events: Event[] }} each in time order
 */
export function createWorld(seed, size) {
  const random = createRandom(seed);
  const span = (DAYS * DAY * size) / 6000;
  const world = { random, span, decisions: [], events: [], customers: customers(random, size) };
  while (world.events.length < size) {
    const kind = random.next();
    if (kind < 0.07) strayEvent(world, false);
    else if (kind < 0.15) strayEvent(world, true);
    else episode(world);
  }
  const inTime = (a, b) => a.timestamp - b.timestamp;
  return {
    decisions: world.decisions.sort(inTime),
    events: world.events.slice(0, size).sort(inTime),
  };
}

function customers(random, size) {
  return Array.from({ length: Math.ceil(size / 50) }, (_, index) => ({
    id: `cus_${random.code(8)}`,
    email: `person${index}@example.org`,
    currency: random.pick(['USD', 'USD', 'USD', 'EUR', 'EUR', 'GBP']),
    region: random.pick(['eu', 'us']),
  }));
}

/** A random customer; some order far more often than others. */
function someCustomer({ random, customers: all }) {
  return all[Math.floor(all.length * random.next() ** 1.7)];
}

/** A random time; office hours are busy, nights and weekends quiet. */
function someTime({ random, span }) {
  for (;;) {
    const time = START + random.next() * span;
    const date = new Date(time);
    const isOffice = date.getUTCHours() >= 8 && date.getUTCHours() < 19;
    const isWeekend = date.getUTCDay() % 6 === 0;
    if (random.chance((isOffice ? 1 : 0.15) * (isWeekend ? 0.3 : 1))) return time;
  }
}

/** Everything around one order: several agents, conversations, failed attempts and repetitions. */
function episode(world) {
  const { random } = world;
  const customer = someCustomer(world);
  const order = `ORD-${random.code(6)}`;
  const team = [0, 1, 2].map(() => `agent-${random.below(AGENTS)}`);
  const steps = [];
  const actions = random.pick([
    ['take_order'],
    ['take_order'],
    ['take_order', 'change_order'],
    ['approve_refund'],
    ['approve_refund', 'issue_credit'],
    ['issue_credit', 'issue_credit'],
    ['take_order', 'approve_refund'],
    ['waive_check', 'take_order'],
  ]);
  for (const action of actions) {
    for (let talk = random.geometric(2.4); talk > 0; talk--) steps.push(random.pick(TALK));
    steps.push(action);
  }
  if (random.chance(0.5)) steps.push(random.pick(TALK));
  let time = someTime(world);
  for (const action of steps) {
    time += random.logNormal(0.7, 1.3) * HOUR;
    const details = { customer, order, agent: random.pick(team), action, time };
    if (action in ACTIONS) time = act(world, details);
    else decide(world, { ...details, amount: null, reference: null, failed: false });
  }
}

/** An action that moves money, sometimes after failed attempts, sometimes not at all. */
function act(world, details) {
  const { random } = world;
  const typical = ACTIONS[details.action].amount;
  const amount = Math.max(100, Math.round(random.logNormal(typical * 100, 0.7)));
  let { time } = details;
  const reference = random.chance(0.45) ? `ref_${random.code(10)}` : null;
  while (random.chance(0.12)) {
    decide(world, { ...details, time, amount, reference: null, failed: true });
    time += random.logNormal(0.1, 0.8) * HOUR;
  }
  const isRecorded = !random.chance(0.08);
  const done = { ...details, time, amount, reference, failed: false };
  const ref = isRecorded ? decide(world, done) : null;
  const leadsToMoney = details.action === 'waive_check' ? 0.35 : 0.93;
  if (random.chance(leadsToMoney)) causeEvents(world, done, ref);
  return time;
}

function decide(world, { customer, order, agent, action, time, amount, reference, failed }) {
  const { random, decisions } = world;
  const ref = `d${decisions.length}`;
  const metadata = { env: 'prod', region: customer.region, channel: random.pick(['chat', 'mail']) };
  if (random.chance(0.85)) metadata.customer_id = customer.id;
  if (random.chance(0.55)) metadata.order_id = order;
  const inputs = { request: 'Please see to it.', customer: { email: customer.email } };
  if (random.chance(0.7)) inputs.order = order;
  const outputs = failed ? { success: false } : { status: 'done' };
  if (amount !== null && random.chance(0.8)) {
    Object.assign(outputs, { amount: decimal(amount), currency: customer.currency });
  }
  if (reference !== null) outputs.charge_ref = reference;
  decisions.push({
    ref,
    agent_id: agent,
    action_type: action,
    timestamp: time,
    metadata,
    inputs,
    outputs,
  });
  return ref;
}

/** One event or several partial ones, sometimes minus a fee, sometimes in another currency. */
function causeEvents(world, { customer, order, action, time, amount, reference }, ref) {
  const { random, events } = world;
  const parts = random.chance(0.12) ? 2 + random.below(2) : 1;
  const paid = random.chance(0.12) ? Math.round(amount * (0.4 + 0.57 * random.next())) : amount;
  const { event, sign, median, sigma } = ACTIONS[action];
  for (let part = 0; part < parts; part++) {
    const own =
      part === 0 ? paid - (parts - 1) * Math.floor(paid / parts) : Math.floor(paid / parts);
    const currency = random.chance(0.08) ? random.pick(Object.keys(RATES)) : customer.currency;
    const cents = Math.round((own * RATES[customer.currency]) / RATES[currency]);
    if (cents <= 0) continue;
    events.push({
      external_id:
        reference !== null && parts === 1 && random.chance(0.5) ? reference : eventId(random),
      event_type: event,
      amount: decimal(sign * cents),
      currency,
      timestamp: time + random.logNormal(median, sigma) * HOUR,
      metadata: eventMetadata(random, { customer, order, reference }),
      worth: Math.round(cents * RATES[currency]),
      cause: ref,
      kind: ref === null ? 'unrecorded' : 'caused',
    });
  }
}

const eventId = (random) => `evt_${random.code(12)}`;

/** External systems use different names for the same thing, and omit much. */
function eventMetadata(random, { customer, order, reference }) {
  const metadata = { env: 'prod', livemode: true };
  if (random.chance(0.3)) metadata.region = customer.region;
  if (random.chance(0.05)) return metadata;
  if (random.chance(0.65)) metadata.customer_id = customer.id;
  else if (random.chance(0.3)) metadata.payer_email = customer.email;
  if (random.chance(0.45)) metadata.order_id = order;
  else if (random.chance(0.3)) metadata.merchant_reference = order;
  if (reference !== null && random.chance(0.4)) metadata.payment_ref = reference;
  return metadata;
}

/** Money that no decision moved: from strangers, or from customers that agents know. */
function strayEvent(world, isKnown) {
  const { random, events } = world;
  const stranger = { id: `cus_${random.code(8)}`, email: `x${random.code(6)}@example.org` };
  const customer = isKnown
    ? someCustomer(world)
    : { ...stranger, currency: random.pick(Object.keys(RATES)), region: 'eu' };
  const { event, sign, amount } = random.pick(Object.values(ACTIONS));
  const cents = Math.max(100, Math.round(random.logNormal(amount * 100, 0.8)));
  const order = `ORD-${random.code(6)}`;
  events.push({
    external_id: eventId(random),
    event_type: event,
    amount: decimal(sign * cents),
    currency: customer.currency,
    timestamp: someTime(world),
    metadata: eventMetadata(random, { customer, order, reference: null }),
    worth: Math.round(cents * RATES[customer.currency]),
    cause: null,
    kind: isKnown ? 'known' : 'stranger',
  });
}

/** @param {number} cents */
function decimal(cents) {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
