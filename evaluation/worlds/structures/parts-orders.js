// A dealer in parts: agents confirm orders with unique numbers, and the payment states a sum that no decision knows.
import { cents, decimal } from '../money.js';
import { digits, hex, telemetry } from '../noise.js';
import { DAY, HOUR, officeTime } from '../time.js';

const DESKS = ['parts-desk-1', 'parts-desk-2', 'parts-desk-3'];
const QUESTIONS = ['check_stock', 'find_substitute', 'quote_price', 'get_delivery_date'];

export const partsOrders = { member: (random) => `D${digits(random, 5)}`, stories: { request } };

/** A question, an order by an agent, or an order by telephone. */
function request(context) {
  const { random } = context;
  const dealer = random.pick(context.members);
  const draw = random.next();
  const time = officeTime(random, context.span);
  const agent = random.pick(DESKS);
  const one = { dealer, agent, time, metadata: { ...telemetry(random), dealer } };
  if (draw < 0.57) {
    question(context, one);
    return;
  }
  const order = digits(random, 10);
  const amount = cents(random, 240);
  const cause = draw < 0.87 ? confirm(context, one, order) : null;
  if (random.chance(0.05)) return;
  pay(context, one, { order, amount, cause });
}

const newPart = (random) => ({
  part_no: `${digits(random, 4)}-${random.code(3)}`,
  qty: 1 + random.below(9),
});

function question({ world, random }, { dealer, ...one }) {
  world.decide({
    ...one,
    action: random.pick(QUESTIONS),
    holds: [`dealer:${dealer}`],
    inputs: newPart(random),
    outputs: { available: random.chance(0.8), price: decimal(cents(random, 140)) },
  });
}

function confirm({ world, random }, { dealer, ...one }, order) {
  return world.decide({
    ...one,
    action: 'confirm_order',
    isHidden: random.chance(0.03),
    holds: [`dealer:${dealer}`, `order:${order}`],
    inputs: { order: { number: order, lines: [newPart(random)] } },
    outputs: { state: 'confirmed' },
  });
}

function pay({ world, random }, { dealer, time }, { order, amount, cause }) {
  world.event({
    type: 'payment.received',
    amount,
    time: time + HOUR + random.next() * (7 * DAY - HOUR),
    cause,
    id: `AR-${hex(random, 10)}`,
    metadata: { debitor: dealer, orderNumber: order, terms: 'N14', posted_by: 'lockbox' },
    holds: [`order:${order}`, `dealer:${dealer}`],
  });
}
