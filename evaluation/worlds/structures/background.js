// Most of the money has nothing to do with any decision.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise, uuid } from '../noise.js';
import { DAY, lag, officeTime } from '../time.js';

const TYPES = ['transfer.in', 'card_settlement', 'transfer.in', 'payout'];

export const background = { member: uuid, stories: { stray, dunned } };

function dunned({ world, random, members, span }) {
  const client = random.pick(members);
  const time = officeTime(random, span);
  const amount = cents(random, 250, 1);
  const invoice = `RE${digits(random, 7)}`;
  const cause = world.decide({
    agent: `dunning-${1 + random.below(3)}`,
    action: random.pick(['escalateInvoice', 'offer_instalments', 'K7']),
    time,
    isHidden: random.chance(0.08),
    holds: [client, invoice],
    metadata: { ...runNoise(random), client },
    inputs: { invoice_no: invoice, open: random.chance(0.7) ? decimal(amount) : null },
    outputs: { sent: true },
  });
  // Other agents look at the same client.
  for (let left = random.geometric(1); left > 0; left--) {
    world.decide({
      agent: `desk-${1 + random.below(4)}`,
      action: random.pick(['lookup', 'reply', 'scoreClient']),
      time: time + random.normal() * 2 * DAY,
      holds: [client],
      metadata: { ...runNoise(random), client },
      inputs: { question: 'Is everything paid?' },
      outputs: { reply: 'One invoice is open.', open: decimal(amount) },
    });
  }
  if (random.chance(0.8)) {
    const paid = time + lag(random, 30, 0.8);
    payment(world, {
      client,
      amount,
      time: paid,
      cause,
      invoice: random.chance(0.6) ? invoice : null,
    });
  }
}

function stray({ world, random, members, span }) {
  const client = random.pick(members);
  const time = officeTime(random, span);
  const isKnown = random.chance(0.3);
  payment(world, {
    client: isKnown ? client : uuid(random),
    amount: cents(random, 250, 1),
    time,
    cause: null,
    invoice: random.chance(0.5) ? `RE${digits(random, 7)}` : null,
  });
}

function payment(world, { client, amount, time, cause, invoice }) {
  const { random } = world;
  world.event({
    type: cause === null ? random.pick(TYPES) : random.pick(TYPES.slice(0, 3)),
    id: uuid(random),
    amount,
    time,
    cause,
    metadata: {
      ...sourceNoise(random),
      counterparty: client,
      ...(invoice === null ? {} : { remittance: `Invoice ${invoice} / thank you` }),
    },
    holds: [client, ...(invoice === null ? [] : [invoice])],
  });
}
