// Seats of a workspace: agents change their number, and an invoice item has the price for the rest of the month.
import { digits, envelope, telemetry } from '../noise.js';
import { DAY, dayOf, HOUR, lag, MINUTE, officeTime, START } from '../time.js';

/** Price of a seat and month in cents. */
const PRICES = { team: 1000, business: 1800, enterprise: 3200 };
const FIRST_WORDS = ['north', 'blue', 'acme', 'fox', 'delta'];
const SECOND_WORDS = ['labs', 'works', 'media', 'soft'];
const READS = ['list_members', 'get_usage_report', 'preview_invoice', 'explain_plan'];
const ADDING = ['add_seats', 'invite_members'];
const REMOVING = ['remove_seats', 'deactivateIdleUsers'];
const MONTH = 30 * DAY;
const MONTHS = 2;

export const seatProration = { stories: { workspace } };

function workspace(context) {
  const { random } = context;
  const one = {
    slug: `${random.pick(FIRST_WORDS)}-${random.pick(SECOND_WORDS)}-${digits(random, 3)}`,
    tenant: digits(random, 6),
    plan: random.pick(Object.keys(PRICES)),
    seats: 5 + random.below(60),
  };
  const times = Array.from({ length: 1 + random.geometric(2.5) }, () =>
    officeTime(random, MONTHS * MONTH),
  );
  for (const time of times.sort((a, b) => a - b)) change(context, one, time);
  item(context, one, {
    type: 'subscription.base',
    time: START + random.below(MONTHS) * MONTH + 3 * HOUR,
    amount: one.seats * PRICES[one.plan],
    cause: null,
    line: { description: `${one.seats} × ${one.plan} seat` },
  });
}

/** By an agent, or by an administrator. */
function change(context, one, time) {
  const { random } = context;
  const { plan } = one;
  const isAdding = random.chance(0.7);
  const quantity = 1 + random.geometric(3);
  const isAgents = random.chance(0.7);
  for (let left = random.geometric(isAgents ? 2.4 : 1.6); left > 0; left--) {
    read(context, one, time);
  }
  const added = isAdding ? quantity : -quantity;
  const cause = isAgents ? setSeats(context, one, added, time) : null;
  one.seats = Math.max(3, one.seats + added);
  const isDaily = random.chance(0.4);
  const verb = isAdding ? 'Remaining' : 'Unused';
  const date = new Date(time).toUTCString().slice(5, 16);
  item(context, one, {
    type: isAdding ? 'proration.charge' : 'proration.credit',
    amount: Math.round(added * PRICES[plan] * restOfMonth(time)),
    time: time + lag(random, isDaily ? 14 : 0.3, 0.5),
    cause,
    line: { description: `${verb} time for ${quantity} × ${plan} seat after ${date}`, quantity },
  });
}

/** In whole days, as a part of the month. */
function restOfMonth(time) {
  const left = 1 - ((time - START) % MONTH) / MONTH;
  return Math.ceil(left * 30) / 30;
}

function read(context, one, time) {
  const { random } = context;
  const action = random.pick(READS);
  decide(context, one, {
    action,
    time: time - lag(random, 2, 1),
    inputs: { query: 'seats' },
    outputs: { seats_used: one.seats, seats_total: one.seats + random.below(6) },
  });
}

function setSeats(context, one, added, time) {
  const { random } = context;
  const { plan, seats } = one;
  const inputs = { change: { seats: added, unit_price_cents: PRICES[plan], plan } };
  const action = random.pick(added > 0 ? ADDING : REMOVING);
  if (random.chance(0.1)) {
    const outputs = { error: 'approval_required' };
    decide(context, one, { action, time: time - 4 * MINUTE, inputs, outputs });
  }
  const outputs = { seats_before: seats, seats_after: seats + added };
  return decide(context, one, { action, time, inputs, outputs, isHidden: random.chance(0.05) });
}

function decide({ world, random }, { slug, tenant }, details) {
  return world.decide({
    ...details,
    agent: 'workspace-copilot',
    holds: [`tenant:${tenant}`],
    metadata: { ...telemetry(random), workspace: { slug, tenant: `tn_${tenant}` } },
  });
}

function item({ world, random }, { tenant }, { type, amount, time, cause, line }) {
  world.event({
    type,
    amount,
    time,
    cause,
    id: `li_${random.code(16)}`,
    metadata: {
      ...envelope(random),
      customer_handle: random.chance(0.6) ? `TN-${tenant}` : `tn_${tenant}`,
      line: { ...line, period_start: dayOf(time) },
    },
    holds: [`tenant:${tenant}`],
  });
}
