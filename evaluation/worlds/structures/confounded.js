// Many agents know a customer. The one that talks most moves no money.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { HOUR, lag, officeTime } from '../time.js';

const TALKERS = ['chat', 'faq', 'newsletter', 'survey'];
const AGENTS = 12;

export const confounded = { member: (random) => `K${digits(random, 6)}`, stories: { payday } };

/** A payment of a customer: after a raised limit, or on the customer's own account. */
function payday({ world, random, members, span }) {
  const customer = random.pick(members);
  const time = officeTime(random, span);
  if (random.chance(0.45)) ownPayment(world, customer, time);
  else limitRaised(world, customer, time);
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
    type,
    amount,
    time,
    cause,
    metadata: { ...sourceNoise(random), customer_no: customer },
    holds: [customer],
  });
}
