// Agents write the ticket number, the payment provider the order number; one earlier triage holds both.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, lag, MINUTE, officeTime } from '../time.js';

/** What follows from a granted request: type of event, sign and median days. */
const REMEDIES = {
  grant_refund: { type: 'REFUND', sign: -1, days: 2 },
  send_replacement: { type: 'LABEL_COST', sign: -1, days: 1 },
  goodwill: { type: 'REFUND', sign: -1, days: 1 },
};

export const tickets = {
  prepare: ({ random }) => ({ last: 40_000 + random.below(50_000) }),
  stories: {
    ownReturn: (context) => {
      const { random, span } = context;
      selfService(context, orderNumber(random), officeTime(random, span));
    },
    ticket,
  },
};

const orderNumber = (random) =>
  `${100 + random.below(900)}-${digits(random, 7)}-${digits(random, 7)}`;

function ticket(context) {
  const { random } = context;
  const one = { order: orderNumber(random), number: nextTicket(context) };
  const total = cents(random, 60);
  let time = officeTime(random, context.span);
  const later = (hours) => {
    time += lag(random, hours, 0.9);
    return time;
  };
  triage(context, one, time, total);
  if (random.chance(0.2)) merge(context, one, later(1));
  if (random.chance(0.5))
    step(context, one, { action: 'check_policy', time: later(0.5), outputs: { eligible: true } });
  if (random.chance(0.3)) {
    const outputs = { status: 'refused', reason: 'outside of the return period' };
    step(context, one, { action: 'grant_refund', time: later(4), outputs });
    // Some buyers then turn to their bank.
    if (random.chance(0.35)) {
      book(context, {
        type: 'CHARGEBACK',
        amount: -total,
        time: time + random.logNormal(20, 0.4) * DAY,
        ...one,
      });
    }
  } else remedies(context, one, total, later);
  if (random.chance(0.6)) {
    step(context, one, { action: 'close_ticket', time: later(8), outputs: { state: 'solved' } });
  }
  if (random.chance(0.15)) {
    selfService(context, one.order, time + random.logNormal(9, 0.6) * DAY);
  }
}

/** One remedy, or two; a call that timed out is made again. */
function remedies(context, one, total, later) {
  const { random } = context;
  for (let left = random.chance(0.15) ? 2 : 1; left > 0; left--) {
    const action = random.pick(Object.keys(REMEDIES));
    const amount = amountOf(random, action, total);
    const { type, sign, days } = REMEDIES[action];
    const time = later(3);
    if (random.chance(0.15)) {
      const outputs = { error: 'upstream timed out', amount: decimal(amount) };
      step(context, one, { action, time: time - 2 * MINUTE, outputs });
    }
    const stated = random.chance(0.65) ? { amount: decimal(amount), currency: 'USD' } : {};
    const isHidden = random.chance(0.05);
    const cause = step(context, one, {
      action,
      time,
      outputs: { status: 'done', ...stated },
      isHidden,
    });
    book(context, {
      type,
      amount: sign * amount,
      time: time + random.logNormal(days, 0.5) * DAY,
      cause,
      ...one,
    });
  }
}

function amountOf(random, action, total) {
  if (action === 'send_replacement') return 450 + random.below(900);
  if (action === 'goodwill') return random.pick([500, 1000, 1500, 2000]);
  return random.chance(0.7) ? total : Math.ceil(total * (0.2 + 0.6 * random.next()));
}

/** The only decision that knows the order: it reads the message and opens the ticket. */
function triage({ world, random }, { order, number }, time, total) {
  world.decide({
    agent: 'triage-1',
    action: 'triage_message',
    time,
    holds: [order, number],
    metadata: { ...runNoise(random), channel: random.pick(['mail', 'form']) },
    inputs: {
      subject: random.pick(['Broken on arrival', 'Pas reçu ma commande', 'Wo bleibt mein Paket?']),
      body: `Hello, my order ${order} is not what I expected. Please help.`,
    },
    outputs: { ticket_id: number, intent: 'complaint', order_total: decimal(total) },
  });
}

/** A second ticket of the same person is joined to the first, and the work goes on in that one. */
function merge(context, one, time) {
  const { world, random } = context;
  const other = nextTicket(context);
  world.decide({
    agent: 'triage-1',
    action: 'merge_tickets',
    time,
    holds: [one.number, other],
    metadata: { ...runNoise(random), channel: 'system' },
    inputs: { from: one.number, into: other },
    outputs: { merged: true },
  });
  one.number = other;
}

function step({ world, random }, { number }, { action, time, outputs, isHidden = false }) {
  return world.decide({
    agent: action === 'check_policy' ? 'policy-1' : `care-${1 + random.below(5)}`,
    action,
    time,
    isHidden,
    holds: [number],
    metadata: { ...runNoise(random), ticket: random.chance(0.5) ? number : `#${number}` },
    inputs: { conversation: `zendesk:${number}`, tone: random.pick(['calm', 'angry']) },
    outputs,
  });
}

/** A return that the buyer made alone, without any agent. */
function selfService(context, order, time) {
  const { random } = context;
  const type = random.pick(['REFUND', 'SELF_RETURN', 'SELF_RETURN']);
  book(context, { type, amount: -cents(random, 60), time, order });
}

function book({ world, random }, { type, amount, time, cause = null, order, number }) {
  const namesTicket = cause !== null && random.chance(0.15);
  world.event({
    type,
    id: `${random.code(16)}`,
    amount,
    time,
    cause,
    metadata: {
      ...sourceNoise(random),
      merchant_reference: order,
      ...(namesTicket ? { description: `per ticket ${number}` } : {}),
    },
    holds: namesTicket ? [order, number] : [order],
  });
}

/** Tickets are numbered in sequence, with gaps. */
function nextTicket(context) {
  context.last += 1 + context.random.below(7);
  return String(context.last);
}
