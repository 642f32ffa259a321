// Months after an order was released, the bank takes the money back under numbers that the shop never saw.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, dayOf, HOUR, midnight, officeTime } from '../time.js';

const FEE = 2000;
const SCHEMES = ['visa', 'mc', 'amex'];

export const chargebacks = { stories: { card } };

/** A card over some orders; some are released by hand, without any record. */
function card(context) {
  const { random } = context;
  const one = {
    last: digits(random, 4),
    scheme: random.pick(SCHEMES),
    buyer: `U${digits(random, 7)}`,
  };
  let time = officeTime(random, context.span);
  for (let orders = 1 + random.geometric(1.5); orders > 0; orders--) {
    order(context, one, time);
    time += random.logNormal(25, 0.9) * DAY;
  }
}

function order(context, one, time) {
  const { random } = context;
  const sale = {
    number: `W${digits(random, 8)}`,
    psp: random.code(16),
    amount: cents(random, 140, 0.8),
    day: midnight(time),
  };
  if (random.chance(0.3)) screen(context, one, sale, time - random.next() * HOUR);
  const isManual = random.chance(0.15);
  const isHidden = random.chance(0.04);
  const release = isManual ? null : approve(context, one, sale, { time, isHidden });
  // Sales themselves are booked by day elsewhere; here is what goes back.
  const end = random.next();
  if (end < 0.3) giveBack(context, one, sale, time);
  else if (end < 0.85) dispute(context, one, sale, { time, release });
  if (random.chance(0.35)) ask(context, one, sale, time + random.logNormal(6, 1) * DAY);
}

function screen({ world, random }, one, sale, time) {
  world.decide({
    agent: 'risk-1',
    action: random.pick(['score_order', 'check_address']),
    time,
    holds: [sale.number],
    metadata: { ...runNoise(random), order: sale.number },
    inputs: { buyer: one.buyer, value: decimal(sale.amount), card_end: one.last },
    outputs: { risk: random.below(100) },
  });
}

function approve({ world, random }, one, sale, { time, isHidden }) {
  return world.decide({
    agent: `release-${1 + random.below(3)}`,
    action: 'release_order',
    time,
    isHidden,
    holds: [sale.number, sale.psp],
    transaction: sale.number,
    metadata: { ...runNoise(random), order: sale.number },
    inputs: {
      buyer: one.buyer,
      payment: { psp_ref: sale.psp, card_end: one.last, scheme: one.scheme },
      total: { value: decimal(sale.amount), currency: 'EUR' },
    },
    outputs: { released: true },
  });
}

function ask({ world, random }, one, sale, time) {
  world.decide({
    agent: `chat-${1 + random.below(2)}`,
    action: 'answer_buyer',
    time,
    holds: [sale.number],
    metadata: { ...runNoise(random), order: sale.number },
    inputs: { buyer: one.buyer, text: `Where is ${sale.number}?` },
    outputs: { reply: 'It is with the carrier.' },
  });
}

/** An ordinary refund, under the number of the processor. */
function giveBack(context, one, sale, time) {
  const { world, random } = context;
  const isWhole = random.chance(0.6);
  const amount = isWhole ? sale.amount : Math.ceil(sale.amount * (0.1 + 0.6 * random.next()));
  const at = time + random.logNormal(9, 0.7) * DAY;
  const isOwn = random.chance(0.25);
  const cause = isOwn
    ? null
    : world.decide({
        agent: `care-${1 + random.below(3)}`,
        action: 'refund_order',
        time: at,
        isHidden: random.chance(0.04),
        holds: [sale.number],
        metadata: { ...runNoise(random), order: sale.number },
        inputs: { buyer: one.buyer, reason: random.pick(['late', 'broken']) },
        outputs: { refunded: true, ...(random.chance(0.7) ? { value: decimal(amount) } : {}) },
      });
  book(context, {
    type: 'Refunded',
    amount: -amount,
    time: at + random.logNormal(1.5, 0.5) * DAY,
    cause,
    metadata: { original: sale.psp, reference: `${sale.number}/R${1 + random.below(2)}` },
    holds: [sale.number],
  });
}

/** The chargeback, its fee, and perhaps a defence that wins. */
function dispute(context, one, sale, { time, release }) {
  const { random } = context;
  const at = time + random.logNormal(55, 0.4) * DAY;
  const dispute = `${random.pick(['CB', 'DSP'])}-${digits(random, 9)}`;
  const about = {
    case: dispute,
    pan_suffix: one.last,
    network: one.scheme,
    sale_date: dayOf(sale.day),
    reason_code: random.pick(['10.4', '13.1', '4837']),
  };
  book(context, {
    type: 'Chargeback',
    amount: -sale.amount,
    time: at,
    cause: release,
    metadata: about,
  });
  book(context, {
    type: 'DisputeFee',
    amount: -FEE,
    time: at,
    cause: null,
    metadata: { case: dispute },
  });
  if (random.chance(0.45)) defend(context, sale, dispute, at);
}

function defend(context, sale, dispute, since) {
  const { world, random } = context;
  const time = since + random.logNormal(4, 0.6) * DAY;
  const decide = (action, at, outputs, isHidden = false) =>
    world.decide({
      agent: 'dispute-1',
      action,
      time: at,
      isHidden,
      holds: [dispute],
      metadata: { ...runNoise(random), dispute_case: dispute },
      inputs: { order: sale.number, disputed: decimal(sale.amount) },
      outputs,
    });
  if (random.chance(0.4)) decide('collect_evidence', time - 5 * HOUR, { files: random.below(6) });
  if (random.chance(0.25)) {
    decide('accept_dispute', time, { accepted: true });
    return;
  }
  const cause = decide('submit_evidence', time, { submitted: true }, random.chance(0.04));
  if (random.chance(0.35)) return;
  book(context, {
    type: 'ChargebackReversed',
    amount: sale.amount,
    time: time + random.logNormal(30, 0.3) * DAY,
    cause,
    metadata: { case: dispute },
    holds: [dispute],
  });
}

function book({ world, random }, { type, amount, time, cause, metadata, holds = [] }) {
  world.event({
    type,
    id: random.code(16),
    amount,
    time,
    cause,
    metadata: { ...sourceNoise(random), ...metadata },
    holds,
  });
}
