// Grocery deliveries: a nightly load dates credits at the midnight before, and fees at the midnight after.
import { decimal } from '../money.js';
import { digits, hex, telemetry } from '../noise.js';
import { DAY, dayOf, HOUR, lag, MINUTE, midnight, officeTime } from '../time.js';

/** How long after the midnight before it a row of each table is dated. */
const DATED_AFTER = { fin_credit_memo: 0, fin_fee_daily: DAY };
const CREDITS = ['credit_missing_item', 'goodwill_credit'];
const SLOT_CHANGES = ['rebook_slot', 'late_change'];
/** Pence. */
const FEES = [199, 299, 399, 499, 699];
const TALK = ['get_slots', 'suggest_recipe', 'getBasket', 'check_stock'];

export const groceryEtl = { member: (random) => digits(random, 7), stories: { delivery } };

function delivery(context) {
  const { random } = context;
  const one = {
    household: random.pick(context.members),
    number: `${digits(random, 3)}-${digits(random, 5)}`,
    time: officeTime(random, context.span),
  };
  const start = one.time;
  for (let left = random.geometric(2); left > 0; left--) talk(context, one);
  if (random.chance(0.6)) complaint(context, one);
  else if (random.chance(0.5)) ownBooking(context, one);
  if (random.chance(0.4)) {
    one.time = start + 30 * HOUR * random.next();
    talk(context, one);
  }
}

function talk(context, one) {
  const { random } = context;
  decide(context, one, {
    agent: 'basket-assistant',
    action: random.pick(TALK),
    outputs: { ok: true, items: random.below(40) },
    isNamed: false,
  });
}

function complaint(context, one) {
  const { random } = context;
  look(context, one, { total: decimal(3000 + random.below(12_000)), state: 'delivered' });
  const amount = pickCredit(random) - (random.chance(0.5) ? 1 : 0);
  const draw = random.next();
  const isHidden = random.chance(0.05);
  if (draw < 0.55) credit(context, one, amount, isHidden);
  else if (draw < 0.9) changeSlot(context, one, isHidden);
  else {
    const outputs = { queue: 'tier2' };
    decide(context, one, { agent: 'service-agent', action: 'escalate_to_human', outputs });
  }
}

function look(context, one, outputs) {
  decide(context, one, { agent: 'service-agent', action: 'get_delivery', outputs });
}

const pickCredit = (random) => 50 * (2 + random.below(50));

function credit(context, one, amount, isHidden) {
  const { random } = context;
  const details = {
    agent: 'service-agent',
    action: random.pick(CREDITS),
    input: { credit: amount / 100 },
  };
  if (random.chance(0.1)) {
    const outputs = { status: 'rejected', reason: 'over_limit' };
    decide(context, one, { ...details, outputs });
  }
  const cause = decide(context, one, { ...details, outputs: { status: 'booked' }, isHidden });
  bookCredit(context, one, amount, cause);
}

function changeSlot(context, one, isHidden) {
  const { random } = context;
  const fee = random.pick(FEES);
  const cause = decide(context, one, {
    agent: 'slot-agent',
    action: random.pick(SLOT_CHANGES),
    input: { fee_pence: fee },
    outputs: { slot: `S${digits(random, 4)}` },
    isHidden,
  });
  book(context, one, { table: 'fin_fee_daily', type: 'slot_fee', amount: fee, cause });
}

/** By the handheld of the driver, or by the customer in the app. */
function ownBooking(context, one) {
  const { random } = context;
  if (random.chance(0.4)) look(context, one, { state: 'delivered' });
  if (random.chance(0.5)) {
    bookCredit(context, one, pickCredit(random), null);
    return;
  }
  const type = random.chance(0.5) ? 'slot_fee' : 'bag_charge';
  book(context, one, { table: 'fin_fee_daily', type, amount: random.pick(FEES), cause: null });
}

function decide({ world, random }, one, details) {
  const { agent, action, input = {}, outputs, isNamed = true, isHidden = false } = details;
  one.time += lag(random, 0.05, 0.8);
  return world.decide({
    agent,
    action,
    time: one.time,
    isHidden,
    holds: [`household:${one.household}`, ...(isNamed ? [`delivery:${one.number}`] : [])],
    metadata: { ...telemetry(random), companyCode: 'GB01' },
    inputs: {
      householdId: one.household,
      ...(isNamed ? { deliveryId: one.number } : {}),
      ...input,
    },
    outputs,
  });
}

function bookCredit(context, one, amount, cause) {
  const table = 'fin_credit_memo';
  book(context, one, { table, type: 'credit_memo', amount: -amount, cause });
}

/** A row of the load of the next night. */
function book({ world, random }, one, { table, type, amount, cause }) {
  const isDetailed = random.chance(0.5);
  const day = midnight(one.time);
  const date = day + DATED_AFTER[table];
  world.event({
    source: `dwh.${table}`,
    type,
    amount,
    time: date,
    recorded: day + DAY + 4 * HOUR + random.below(40) * MINUTE,
    cause,
    id: `${table}:${hex(random, 12)}`,
    metadata: {
      company_code: 'GB01',
      batch_id: `B${dayOf(date).replaceAll('-', '')}`,
      household_key: `000${one.household}`,
      ...(isDetailed ? { dlv_no: one.number.replace('-', '') } : {}),
      load_ts: 'T+1',
      gl: type === 'credit_memo' ? '4711' : '4830',
    },
    holds: [`household:${one.household}`, ...(isDetailed ? [`delivery:${one.number}`] : [])],
  });
}
