// Many agents know a customer. The one that talks most moves no money.
import { cents, createBuilder, DAY, decimal, HOUR, officeTime } from './builder.js';
import { digits, runNoise, sourceNoise } from './noise.js';
import { lag } from './times.js';

const TALKERS = ['chat', 'faq', 'newsletter', 'survey'];
const AGENTS = 12;

export function confounded(seed, size) {
  const world = createBuilder('confounded', seed);
  const { random } = world;
  const span = size * 0.1 * DAY;
  const customers = Array.from({ length: Math.ceil(size / 6) }, () => `K${digits(random, 6)}`);
  while (world.count() < size) {
    const customer = random.pick(customers);
    const time = officeTime(random, span);
    if (random.chance(0.45)) ownPayment(world, customer, time);
    else limitRaised(world, customer, time);
  }
  return world.finish({
    size,
    description:
      'Many agents for each customer, only the customer is shared; the last agent before a payment is not its cause, and nearly half of the payments have none',
    settings: { base_currency: 'EUR', rates: {} },
  });
}

/** The action that moves money: A17 by an agent of credit, two days before. */
function limitRaised(world, customer, time) {
  const { random } = world;
  const amount = cents(random, 400, 1);
  const states = random.chance(0.35);
  const cause = world.decide({
    agent: `credit-${random.below(3)}`,
    action: random.chance(0.7) ? 'A17' : 'A18',
    time,
    isHidden: random.chance(0.06),
    holds: [customer],
    metadata: { ...runNoise(random), kunde: customer },
    inputs: { request: { limit_class: random.pick(['S', 'M', 'L']) } },
    outputs: states ? { approved: true, drawdown: decimal(amount) } : { approved: true },
  });
  const paid = time + lag(random, 40, 0.45);
  chatter(world, customer, time, paid);
  payment(world, { customer, amount, time: paid, cause, type: 'evt_2' });
}

function ownPayment(world, customer, time) {
  const { random } = world;
  chatter(world, customer, time - 30 * HOUR, time);
  payment(world, {
    customer,
    amount: cents(random, 300, 1),
    time,
    cause: null,
    type: random.chance(0.6) ? 'evt_5' : 'evt_2',
  });
}

/** Conversations before a payment, the last of them shortly before. */
function chatter(world, customer, from, until) {
  const { random } = world;
  for (let left = 1 + random.geometric(1.6); left > 0; left--) {
    const nearness = random.next() ** 3;
    world.decide({
      agent: `${random.pick(TALKERS)}-${random.below(AGENTS)}`,
      action: random.pick(['reply', 'reply', 'C40', 'empfehlen']),
      time: until - nearness * (until - from),
      holds: [customer],
      metadata: { ...runNoise(random), kunde: customer },
      inputs: { text: 'How do I pay from the app?' },
      outputs: { reply: 'Open the menu and choose Pay.' },
    });
  }
}

function payment(world, { customer, amount, time, cause, type }) {
  const { random } = world;
  world.event({
    source: 'core-bank',
    type,
    amount,
    currency: 'EUR',
    time,
    cause,
    metadata: { ...sourceNoise(random), customer_no: customer },
    holds: [customer],
  });
}
