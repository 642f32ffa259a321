// A unique order number is all that an event shares with its cause, which lies up to 40 days back.
import { cents, createBuilder, DAY, HOUR, officeTime } from './builder.js';
import { runNoise, sourceNoise } from './noise.js';

const ACTIONS = ['A17', 'A22', 'B03'];
const ASIDE = ['C01', 'C02', 'summarise'];

export function uniqueOrders(seed, size) {
  const world = createBuilder('unique', seed);
  const { random } = world;
  const span = size * 0.06 * DAY;
  const number = () => `SO-${2025}-${random.code(7)}`;
  const decide = (action, order, time) =>
    world.decide({
      agent: `worker-${random.below(9)}`,
      action,
      time,
      holds: [order],
      metadata: { ...runNoise(random), queue: random.pick(['q1', 'q2']) },
      inputs: { document: { kind: 'sales_order', no: order, lines: 1 + random.below(12) } },
      outputs: { decision: 'released', checks: ['credit', 'stock'] },
    });
  while (world.count() < size) {
    const order = number();
    const time = officeTime(random, span);
    if (random.chance(0.5)) decide(random.pick(ASIDE), number(), officeTime(random, span));
    const isKnown = !random.chance(0.15);
    const cause = isKnown ? decide(random.pick(ACTIONS), order, time) : null;
    const delay = HOUR * Math.exp(Math.log(960) * random.next());
    world.event({
      source: 'erp',
      type: random.pick(['ZR1', 'ZR2']),
      amount: cents(random, 900, 1),
      currency: 'EUR',
      time: time + delay,
      cause,
      metadata: { ...sourceNoise(random), Belegnummer: order },
      holds: [order],
    });
  }
  return world.finish({
    size,
    description:
      'A unique order number and a cause 1 hour to 40 days earlier; nothing else is shared',
    settings: { base_currency: 'EUR', rates: {} },
  });
}
