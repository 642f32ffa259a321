// A unique order number is all that an event shares with its cause, which lies up to 40 days back.
import { cents } from '../money.js';
import { runNoise, sourceNoise } from '../noise.js';
import { HOUR, officeTime } from '../time.js';

const ACTIONS = ['A17', 'A22', 'B03'];
const ASIDE = ['C01', 'C02', 'summarise'];

export const uniqueOrders = { stories: { order } };

function order(context) {
  const { world, random, span } = context;
  const number = orderNumber(random);
  const time = officeTime(random, span);
  if (random.chance(0.5)) {
    decide(context, random.pick(ASIDE), orderNumber(random), officeTime(random, span));
  }
  const isKnown = !random.chance(0.15);
  const cause = isKnown ? decide(context, random.pick(ACTIONS), number, time) : null;
  const delay = HOUR * Math.exp(Math.log(960) * random.next());
  world.event({
    type: random.pick(['ZR1', 'ZR2']),
    amount: cents(random, 900, 1),
    time: time + delay,
    cause,
    metadata: { ...sourceNoise(random), Belegnummer: number },
    holds: [number],
  });
}

const orderNumber = (random) => `SO-2025-${random.code(7)}`;

function decide({ world, random }, action, order, time) {
  return world.decide({
    agent: `worker-${random.below(9)}`,
    action,
    time,
    holds: [order],
    metadata: { ...runNoise(random), queue: random.pick(['q1', 'q2']) },
    inputs: { document: { kind: 'sales_order', no: order, lines: 1 + random.below(12) } },
    outputs: { decision: 'released', checks: ['credit', 'stock'] },
  });
}
