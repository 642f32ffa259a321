// Payouts to sellers; in the middle the platform changes its provider, and what ties money to decisions.
import { cents, decimal } from '../money.js';
import { runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, lag, officeTime, START } from '../time.js';

const COMMISSION = 0.085;
const FIXED_FEE = 30;
/** The feed of events was down for six days, as parts of the span. */
const OUTAGE = { from: 0.3, days: 6 };
const NAMES = {
  before: { release: 'release_payout', refund: 'refund_buyer', paid: 'payout', back: 'refund' },
  after: {
    release: 'payout.release.v2',
    refund: 'dispute.settle.v2',
    paid: 'transfer.paid',
    back: 'transfer.reversed',
  },
};

export const marketplace = {
  member: (random) => `acct_${random.code(14)}`,
  stories: { unrelated, order },
};

const isAfter = ({ span }, time) => time > START + span * 0.5;

function order(context) {
  const { random } = context;
  const one = {
    number: `MP-${random.code(8)}`,
    seller: random.pick(context.members),
    gross: cents(random, 70, 0.8),
  };
  let time = officeTime(random, context.span);
  if (random.chance(0.5)) {
    call(context, one, {
      action: 'screen_seller',
      time: time - random.next() * DAY,
      outputs: { risk: random.below(100) },
    });
  }
  const end = random.next();
  if (end < 0.12) {
    call(context, one, {
      action: nameOf(context, time, 'release'),
      time,
      outputs: { status: 'declined', hold: true },
    });
    return;
  }
  const paid = effective(context, one, 'release', time);
  settle(context, one, { ...paid, name: 'paid', sign: 1 });
  if (end > 0.85) {
    time += random.logNormal(8, 0.5) * DAY;
    const back = effective(context, one, 'refund', time);
    settle(context, one, { ...back, name: 'back', sign: -1 });
  } else if (random.chance(0.3)) {
    call(context, one, {
      action: 'answer_seller',
      time: time + random.logNormal(1, 1) * DAY,
      outputs: { text: 'It is on its way.' },
    });
  }
}

const nameOf = (context, time, name) => NAMES[isAfter(context, time) ? 'after' : 'before'][name];

/** The call that took effect: attempts that timed out lie before it, repetitions without effect after it. */
function effective(context, one, name, start) {
  const { random } = context;
  let time = start;
  const isLater = isAfter(context, start);
  const group = isLater ? `group_${random.code(10)}` : null;
  const make = (outputs, isHidden = false) =>
    call(context, one, { action: nameOf(context, start, name), time, outputs, isHidden, group });
  while (random.chance(0.2)) {
    make({ error: 'ETIMEDOUT', retryable: true });
    time += (5 + random.below(40)) * 1000;
  }
  const result = {
    status: 'submitted',
    amount: isLater ? one.gross : decimal(one.gross),
    ...(isLater ? { transfer_group: group, unit: 'minor' } : {}),
  };
  const decided = time;
  const cause = make(result, random.chance(0.05));
  if (random.chance(0.2)) {
    time += (5 + random.below(40)) * 1000;
    make({ ...result, idempotent_replayed: true });
  }
  return { cause, time: decided, group };
}

function call({ world, random }, one, { action, time, outputs, isHidden = false, group = null }) {
  const isDone = outputs.transfer_group !== undefined;
  return world.decide({
    agent: `payouts-${1 + random.below(3)}`,
    action,
    time,
    isHidden,
    holds: [one.seller, one.number, ...(isDone ? [group] : [])],
    transaction: one.number,
    metadata: { ...runNoise(random), seller: one.seller },
    inputs: { order: { id: one.number, gross: decimal(one.gross) }, delivery: 'confirmed' },
    outputs,
  });
}

/** Before: gross, by order, within hours. After: net, by transfer group, after two weeks. */
function settle(context, one, { cause, time, group, name, sign }) {
  const { random } = context;
  if (random.chance(0.06)) return;
  if (group === null) {
    book(context, {
      type: NAMES.before[name],
      amount: -sign * one.gross,
      time: time + lag(random, 5, 0.7),
      cause,
      metadata: { order_id: one.number, destination: one.seller },
      holds: [one.seller, one.number],
    });
    return;
  }
  const net = one.gross - Math.round(one.gross * COMMISSION) - FIXED_FEE;
  const names = !random.chance(0.15);
  book(context, {
    type: NAMES.after[name],
    amount: -sign * Math.max(1, net),
    time: time + random.logNormal(14, 0.2) * DAY,
    cause,
    metadata: {
      balance_transaction: {
        id: `txn_${random.code(16)}`,
        source: names ? { transfer_group: group } : { type: 'transfer' },
      },
      destination: one.seller,
    },
    holds: names ? [one.seller, group] : [one.seller],
  });
}

/** Money of known sellers that nobody decided: shop fees, advertising, and payouts they asked for. */
function unrelated(context) {
  const { random } = context;
  const time = officeTime(random, context.span);
  const seller = random.pick(context.members);
  const type = random.pick(['platform_fee', 'ad_charge', nameOf(context, time, 'paid')]);
  const isPayout = type === nameOf(context, time, 'paid');
  const amount = type === 'platform_fee' ? 2900 : cents(random, 70, 0.8);
  const metadata = {
    destination: seller,
    ...(isPayout ? { method: 'instant', requested_by: 'seller' } : {}),
  };
  book(context, {
    type,
    amount: isPayout ? -amount : amount,
    time,
    cause: null,
    metadata,
    holds: [seller],
  });
}

function book({ world, random, span }, { type, amount, time, cause, metadata, holds }) {
  const from = START + span * OUTAGE.from;
  const until = from + OUTAGE.days * DAY;
  const isLate = time >= from && time < until;
  world.event({
    source: 'payments-webhook',
    type,
    id: `evt_${random.code(18)}`,
    amount,
    time,
    recorded: isLate ? until + random.next() * HOUR : time + 4000,
    cause,
    metadata: { ...sourceNoise(random), ...metadata },
    holds,
  });
}
