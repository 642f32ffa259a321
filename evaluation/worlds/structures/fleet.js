// A vehicle fleet: cards, toll boxes and workshops bill by number plate, and few of the bills follow from a decision.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, lag, officeTime } from '../time.js';

const JOBS = ['brakes', 'tyres', 'windscreen', 'clutch'];
const FUEL = '5541';
const TOLL = '4784';
const WORKSHOP = '7538';

export const fleet = { member: plateOf, stories: { bills } };

/** What one vehicle costs: fuel or toll, a repair that nobody approved, or one that an agent did. */
function bills(context) {
  const { random } = context;
  const plate = random.pick(context.members);
  const way = random.next();
  if (way < 0.35) refuel(context, plate);
  else if (way < 0.5) ownRepair(context, plate);
  else repair(context, plate);
}

function plateOf(random) {
  return `B-${random.code(2).replace(/[0-9]/g, 'X')} ${digits(random, 4)}`;
}

/** Estimate, perhaps a second one, approval; an extra is approved and billed on its own. */
function repair(context, plate) {
  const { random } = context;
  const job = random.pick(JOBS);
  const order = `WO${digits(random, 6)}`;
  let time = officeTime(random, context.span);
  const estimate = cents(random, 420, 0.5);
  const one = { plate, order };
  ask(context, one, { action: 'request_estimate', time, outputs: { job, status: 'asked' } });
  time += lag(random, 5, 0.6);
  if (random.chance(0.2)) {
    const outputs = { decision: 'rejected', reason: 'too dear', estimate: decimal(estimate) };
    ask(context, one, { action: 'approve_repair', time, outputs });
    return;
  }
  const outputs = { decision: 'approved', estimate: decimal(estimate), currency: 'EUR' };
  const cause = ask(context, one, {
    action: 'approve_repair',
    time,
    outputs,
    isHidden: random.chance(0.05),
  });
  for (let left = random.geometric(0.8); left > 0; left--) {
    const at = time + random.next() * 8 * DAY;
    ask(context, one, {
      action: random.pick(['notify_driver', 'book_replacement_car']),
      time: at,
      outputs: { ok: true },
    });
  }
  const billed = time + random.logNormal(9, 0.5) * DAY;
  const price = Math.round(estimate * (0.85 + 0.35 * random.next()));
  bill(context, one, {
    code: WORKSHOP,
    amount: random.chance(0.3) ? estimate : price,
    time: billed,
    cause,
  });
  if (random.chance(0.15)) {
    const extra = cents(random, 140, 0.5);
    const at = time + random.next() * 3 * DAY;
    const granted = { decision: 'approved', extra: decimal(extra) };
    const second = ask(context, one, { action: 'approve_extra_work', time: at, outputs: granted });
    bill(context, one, {
      code: WORKSHOP,
      amount: extra,
      time: Math.max(at + HOUR, billed),
      cause: second,
    });
  }
}

function ask({ world, random }, { plate, order }, { action, time, outputs, isHidden = false }) {
  return world.decide({
    agent: `fleet-${1 + random.below(3)}`,
    action,
    time,
    isHidden,
    holds: [plate, order],
    metadata: { ...runNoise(random), vehicle: plate.replaceAll(' ', '') },
    inputs: { work_order: order, mileage_km: 20_000 + random.below(160_000) },
    outputs,
  });
}

function refuel(context, plate) {
  const { random } = context;
  const isToll = random.chance(0.4);
  const amount = isToll ? 120 + random.below(2600) : 3000 + random.below(9000);
  const time = officeTime(random, context.span);
  bill(context, { plate }, { code: isToll ? TOLL : FUEL, amount, time, cause: null });
}

/** A driver went to the workshop without asking. */
function ownRepair(context, plate) {
  const { random } = context;
  const time = officeTime(random, context.span);
  const order = random.chance(0.5) ? `WO${digits(random, 6)}` : undefined;
  bill(
    context,
    { plate, order },
    { code: WORKSHOP, amount: cents(random, 420, 0.5), time, cause: null },
  );
}

function bill({ world, random }, { plate, order }, { code, amount, time, cause }) {
  const named = order !== undefined && random.chance(0.7);
  world.event({
    type: 'card_transaction',
    amount: -amount,
    time,
    cause,
    metadata: {
      ...sourceNoise(random),
      licence_plate: plate,
      mcc: code,
      card_no: `7077${digits(random, 4)}`,
      ...(named ? { memo: `Invoice for order ${order}` } : {}),
    },
    holds: named ? [plate, order] : [plate],
  });
}
