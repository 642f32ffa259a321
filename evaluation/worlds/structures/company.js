// A simulated company: its agents decide, money moves, and the cause of each movement is known.
import { decimal, walkRates } from '../money.js';
import { lag, officeTime } from '../time.js';

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
const CURRENCIES = ['USD', 'EUR', 'GBP'];
const worthOf = ({ record }, currency) => record.rates[currency] ?? 1;

export const company = {
  member: (random, at) => ({
    id: `cus_${random.code(8)}`,
    email: `person${at}@example.org`,
    currency: random.pick(['USD', 'USD', 'USD', 'EUR', 'EUR', 'GBP']),
    region: random.pick(['eu', 'us']),
  }),
  settings: ({ random, record, span }) => walkRates(random, record.currency, record.rates, span),
  stories: {
    stranger: (context) => strayEvent(context, false),
    known: (context) => strayEvent(context, true),
    episode,
  },
};

/** A random customer; some order far more often than others. */
function someCustomer({ random, members }) {
  return members[Math.floor(members.length * random.next() ** 1.7)];
}

/** Everything around one order: several agents, conversations, failed attempts and repetitions. */
function episode(context) {
  const { random } = context;
  const customer = someCustomer(context);
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
  let time = officeTime(random, context.span);
  for (const action of steps) {
    time += lag(random, 0.7, 1.3);
    const details = { customer, order, agent: random.pick(team), action, time };
    if (action in ACTIONS) time = act(context, details);
    else decide(context, { ...details, amount: null, reference: null, failed: false });
  }
}

/** An action that moves money, sometimes after failed attempts, sometimes not at all. */
function act(context, details) {
  const { random } = context;
  const typical = ACTIONS[details.action].amount;
  const amount = Math.max(100, Math.round(random.logNormal(typical * 100, 0.7)));
  let { time } = details;
  const reference = random.chance(0.45) ? `ref_${random.code(10)}` : null;
  while (random.chance(0.12)) {
    decide(context, { ...details, time, amount, reference: null, failed: true });
    time += lag(random, 0.1, 0.8);
  }
  const done = { ...details, time, amount, reference, failed: false };
  const ref = decide(context, { ...done, isHidden: random.chance(0.08) });
  const leadsToMoney = details.action === 'waive_check' ? 0.35 : 0.93;
  if (random.chance(leadsToMoney)) causeEvents(context, done, ref);
  return time;
}

function decide(context, details) {
  const { random, world } = context;
  const { customer, order, agent, action, time, amount, reference, failed, isHidden } = details;
  const holds = [customer.email];
  const metadata = { env: 'prod', region: customer.region, channel: random.pick(['chat', 'mail']) };
  if (random.chance(0.85)) metadata.customer_id = customer.id;
  if (random.chance(0.55)) metadata.order_id = order;
  const inputs = { request: 'Please see to it.', customer: { email: customer.email } };
  if (random.chance(0.7)) inputs.order = order;
  if (metadata.customer_id !== undefined) holds.push(customer.id);
  if (metadata.order_id !== undefined || inputs.order !== undefined) holds.push(order);
  const outputs = failed ? { success: false } : { status: 'done' };
  if (amount !== null && random.chance(0.8)) {
    Object.assign(outputs, { amount: decimal(amount), currency: customer.currency });
  }
  if (reference !== null) {
    outputs.charge_ref = reference;
    holds.push(reference);
  }
  const said = { metadata, inputs, outputs };
  return world.decide({ agent, action, time, isHidden, holds, transaction: order, ...said });
}

/** One event or several partial ones, sometimes minus a fee, sometimes in another currency. */
function causeEvents(context, { customer, order, action, time, amount, reference }, ref) {
  const { random, world } = context;
  const parts = random.chance(0.12) ? 2 + random.below(2) : 1;
  const paid = random.chance(0.12) ? Math.round(amount * (0.4 + 0.57 * random.next())) : amount;
  const { event, sign, median, sigma } = ACTIONS[action];
  for (let part = 0; part < parts; part++) {
    const own =
      part === 0 ? paid - (parts - 1) * Math.floor(paid / parts) : Math.floor(paid / parts);
    const currency = random.chance(0.08) ? random.pick(CURRENCIES) : customer.currency;
    const cents = Math.round(
      (own * worthOf(context, customer.currency)) / worthOf(context, currency),
    );
    if (cents <= 0) continue;
    const metadata = eventMetadata(random, { customer, order, reference });
    const isSame = reference !== null && parts === 1 && random.chance(0.5);
    const id = isSame ? reference : eventId(random);
    world.event({
      type: event,
      id,
      amount: sign * cents,
      currency,
      time: time + lag(random, median, sigma),
      metadata,
      cause: ref,
      holds: [id, ...Object.values(metadata).filter((value) => typeof value === 'string')],
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
function strayEvent(context, isKnown) {
  const { random, world } = context;
  const stranger = { id: `cus_${random.code(8)}`, email: `x${random.code(6)}@example.org` };
  const customer = isKnown
    ? someCustomer(context)
    : { ...stranger, currency: random.pick(CURRENCIES), region: 'eu' };
  const { event, sign, amount } = random.pick(Object.values(ACTIONS));
  const order = `ORD-${random.code(6)}`;
  world.event({
    type: event,
    amount: sign * Math.max(100, Math.round(random.logNormal(amount * 100, 0.8))),
    currency: customer.currency,
    time: officeTime(random, context.span),
    metadata: eventMetadata(random, { customer, order, reference: null }),
  });
}
