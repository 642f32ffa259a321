// Collections that fail are tried again under new ids; every movement comes from one attempt, and several look alike.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, MINUTE, officeTime } from '../time.js';

const RETURN_FEE = 350;

export const retries = { stories: { invoice } };

/** Attempts until one is paid, or until the invoice is given up; a paid one may be returned. */
function invoice(context) {
  const { random } = context;
  const one = {
    number: `INV-2025-${digits(random, 5)}`,
    customer: `cus_${random.code(10)}`,
    amount: cents(random, 60, 0.8),
    attempts: 0,
  };
  let time = officeTime(random, context.span);
  if (random.chance(0.3)) aside(context, one, 'answer_billing_question', time - 5 * HOUR);
  while (one.attempts < 5) {
    const attempt = collect(context, one, time);
    if (random.chance(0.55)) {
      const paid = time + (random.chance(0.5) ? random.logNormal(20, 0.6) : 4000) * MINUTE;
      move(context, one, attempt, { type: 'payment.succeeded', amount: one.amount, time: paid });
      if (!random.chance(0.12)) break;
      const returned = paid + (2 + 6 * random.next()) * DAY;
      move(context, one, attempt, { type: 'debit.returned', amount: -one.amount, time: returned });
      move(context, one, attempt, {
        type: 'return.fee',
        amount: -RETURN_FEE,
        time: returned + HOUR,
      });
      time = returned;
    }
    if (random.chance(0.4)) aside(context, one, 'send_dunning_notice', time + 30 * MINUTE);
    time += (3.2 + random.logNormal(2, 0.5)) * DAY;
  }
  if (random.chance(0.12)) refund(context, one, time + random.logNormal(6, 0.7) * DAY);
}

/** Every attempt has an id of its own, and states no result yet. */
function collect({ world, random }, one, time) {
  one.attempts += 1;
  const intent = `pi_${random.code(20)}`;
  const isFirst = one.attempts === 1;
  const ref = world.decide({
    agent: isFirst ? 'billing-agent' : `recovery-agent-${1 + random.below(2)}`,
    action: isFirst ? 'collect_invoice' : 'retry_collection',
    time,
    holds: [one.number, one.customer, intent],
    transaction: one.number,
    metadata: { ...runNoise(random), customer: one.customer },
    inputs: { invoice: one.number, ...(isFirst ? {} : { attempt: one.attempts }) },
    outputs: { payment_intent: intent, status: 'processing', amount: one.amount },
  });
  return { ref, intent, at: one.attempts };
}

/** The provider repeats a call on its own and gives it a new id; then only invoice and attempt remain. */
function move(context, one, { ref, intent, at }, { type, amount, time }) {
  const { random } = context;
  const way = random.next();
  const named =
    way < 0.5
      ? { payment_intent: intent }
      : way < 0.65
        ? { payment_intent: `pi_${random.code(20)}`, replaces: intent }
        : way < 0.85
          ? { payment_intent: `pi_${random.code(20)}`, description: `${one.number}, attempt ${at}` }
          : { payment_intent: `pi_${random.code(20)}`, description: one.number };
  const holds = way < 0.65 ? [intent] : [one.number];
  book(context, one, { type, amount, time, cause: ref, named, holds });
}

function refund(context, one, time) {
  const { world, random } = context;
  const amount = random.chance(0.5) ? one.amount : Math.ceil(one.amount / 2);
  const cause = world.decide({
    agent: 'billing-agent',
    action: 'refund_invoice',
    time,
    holds: [one.number, one.customer],
    metadata: { ...runNoise(random), customer: one.customer },
    inputs: { invoice: one.number },
    outputs: { refund: { amount, state: 'created' } },
  });
  book(context, one, {
    type: 'refund.paid',
    amount: -amount,
    time: time + random.logNormal(2, 0.5) * DAY,
    cause,
    named: { description: `Refund for ${one.number}` },
    holds: [one.number],
  });
}

function aside({ world, random }, one, action, time) {
  world.decide({
    agent: 'dialogue-agent',
    action,
    time,
    holds: [one.number, one.customer],
    metadata: { ...runNoise(random), customer: one.customer },
    inputs: { invoice: one.number, amount_due: decimal(one.amount) },
    outputs: { sent: true },
  });
}

function book({ world, random }, one, { type, amount, time, cause, named, holds }) {
  world.event({
    type,
    id: `evt_${random.code(16)}`,
    amount,
    time,
    cause,
    metadata: { ...sourceNoise(random), customer: one.customer, ...named },
    holds: [one.customer, ...holds],
  });
}
