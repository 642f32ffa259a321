// One decision approves the pay of a whole entity; single lines are overridden, and the same people recur.
import { decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, lag, midnight, START } from '../time.js';

const MONTH = 30.4 * DAY;
const STAFF = 14;
const TAX = 0.3;

export const payroll = { prepare: () => ({ months: 0 }), member: entity, stories: { nextMonth } };

/** The next month of every entity. */
function nextMonth(context) {
  for (const one of context.members) month(context, one, context.months);
  context.months += 1;
}

function entity(random) {
  const staff = Array.from({ length: STAFF }, () => person(random));
  return {
    code: `DE${digits(random, 2)}`,
    taxNumber: `${digits(random, 3)}/${digits(random, 3)}/${digits(random, 5)}`,
    staff,
  };
}

function person(random) {
  const net = 150_000 + random.below(350_000);
  return { number: `00${digits(random, 6)}`, net, garnished: null };
}

/** Forecast, approval (perhaps refused by the bank and made again), overrides, and what is paid. */
function month(context, { code, taxNumber, staff }, at) {
  const { random } = context;
  const start = START + Math.round((at * MONTH) / DAY) * DAY;
  const period = new Date(start).toISOString().slice(0, 7);
  for (const one of staff) {
    if (random.chance(0.06)) Object.assign(one, person(random));
    if (random.chance(0.15)) one.net = Math.round(one.net * (1 + 0.06 * random.normal()));
  }
  const lines = staff.map((one) => ({
    one,
    net: one.net + (random.chance(0.4) ? random.below(40_000) : 0),
  }));
  const attempt = (action, day, outputs, isHidden = false) =>
    run(context, { code, lines, period }, { action, day: start + day * DAY, outputs, isHidden });
  attempt('forecast_run', 12, { simulated: true });
  const refused = { bank_file: { accepted: false }, status: 'failed' };
  if (random.chance(0.25)) attempt('approve_run', 17, refused);
  const approved = { bank_file: { accepted: true }, status: 'released' };
  const cause = attempt('approve_run', 18, approved, random.chance(0.04));
  const payday = start + 22 * DAY;
  for (const { one, net } of lines) {
    if (random.chance(0.15)) overridden(context, one, { net, period, payday });
    else salary(context, one, { net, period, payday, cause });
    aside(context, one, { start, period });
  }
  const total = lines.reduce((sum, { net }) => sum + net, 0);
  const purpose = `LSt ${period} StNr ${taxNumber} ${code}`;
  book(context, 'TAX', -Math.round(total * TAX), { time: payday + 15 * DAY, cause, purpose });
}

function run({ world, random }, { code, lines, period }, { action, day, outputs, isHidden }) {
  const total = lines.reduce((sum, { net }) => sum + net, 0);
  return world.decide({
    agent: 'payroll-agent',
    action,
    time: day + (8 + 8 * random.next()) * HOUR,
    isHidden,
    holds: lines.map(({ one }) => one.number),
    metadata: { ...runNoise(random), entity: code },
    inputs: {
      period,
      employees: lines.map(({ one, net }) => ({ pers_nr: one.number, net_pay: decimal(net) })),
    },
    outputs: {
      ...outputs,
      totals: { net: decimal(total), wage_tax: decimal(Math.round(total * TAX)) },
    },
  });
}

/** A person in the office sets one line by hand after the approval. */
function overridden(context, one, { net, period, payday }) {
  const { world, random } = context;
  const changed = Math.round(net * (0.6 + 0.7 * random.next()));
  const cause = world.decide({
    agent: 'human:payroll-desk',
    action: 'override_line',
    time: payday - (10 + 40 * random.next()) * HOUR,
    isHidden: random.chance(0.04),
    holds: [one.number],
    metadata: { ...runNoise(random), human: true },
    inputs: { pers_nr: one.number, period, reason: random.pick(['unpaid leave', 'Nachzahlung']) },
    outputs: random.chance(0.7) ? { net_pay: decimal(changed) } : { saved: true },
  });
  salary(context, one, { net: changed, period, payday, cause });
}

function salary(context, { number }, { net, period, payday, cause }) {
  const purpose = `LOHN/GEHALT ${period} PNR ${number}`;
  book(context, 'SALA', -net, { time: payday, cause, purpose, id: number });
}

/** What else concerns one person: an advance, a garnishment for months, expenses, a question. */
function aside(context, one, { start, period }) {
  const { world, random } = context;
  const single = (action, time, inputs, outputs, holds) =>
    world.decide({
      agent: `hr-assistant-${1 + random.below(2)}`,
      action,
      time,
      isHidden: action !== 'answer' && random.chance(0.04),
      holds,
      metadata: { ...runNoise(random), employee: one.number },
      inputs,
      outputs,
    });
  const day = start + random.below(28) * DAY + (8 + 9 * random.next()) * HOUR;
  if (random.chance(0.2))
    single('answer', day, { question: 'When is payday?' }, { period }, [one.number]);
  if (random.chance(0.06)) {
    const amount = 10_000 * (1 + random.below(9));
    const stated = { advance: amount / 100 };
    const cause = single('grant_advance', day, { request: 'Vorschuss' }, stated, [one.number]);
    const time = day + lag(random, 30, 0.4);
    const purpose = `Vorschuss PNR ${one.number}`;
    book(context, 'SALA', -amount, { time, cause, purpose, id: one.number });
  }
  if (one.garnished === null && random.chance(0.05)) {
    const file = `${1 + random.below(40)} M ${digits(random, 4)}/25`;
    const rate = 5000 + random.below(40_000);
    const [inputs, outputs] = [{ court_file: file }, { monthly: decimal(rate) }];
    const time = start + DAY + 10 * HOUR;
    const cause = single('apply_garnishment', time, inputs, outputs, [one.number, file]);
    one.garnished = { file, rate, cause };
  }
  if (one.garnished !== null) {
    const { file, rate, cause } = one.garnished;
    book(context, 'GARN', -rate, {
      time: start + 23 * DAY,
      cause,
      purpose: `Az ${file}`,
      id: file,
    });
  }
  if (random.chance(0.12)) {
    const type = random.pick(['EXPE', 'EXPE', 'SALA']);
    const purpose = `Reisekosten PNR ${one.number}`;
    book(context, type, -(2000 + random.below(60_000)), { time: day, purpose, id: one.number });
  }
}

function book({ world, random }, type, amount, { time, cause = null, purpose, id }) {
  const day = midnight(time);
  // Booked at noon of the day, or where it would be too early, of the next.
  const booked = day + 12 * HOUR < time ? day + 36 * HOUR : day + 12 * HOUR;
  world.event({
    type,
    id: `PAY${digits(random, 12)}`,
    amount,
    time: booked,
    recorded: booked + (random.chance(0.1) ? 3 * DAY : 6 * HOUR),
    cause,
    metadata: { ...sourceNoise(random), purpose },
    holds: id === undefined ? [] : [id],
  });
}
