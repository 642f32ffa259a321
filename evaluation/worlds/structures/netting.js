// Companies of one group charge each other all month; what each pair owes is settled in one net sum.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, midnight, START } from '../time.js';

const COUNTRIES = ['DE', 'FR', 'US', 'PL', 'JP', 'MX', 'IT', 'SE'];
const MONTHS = 12;

export const netting = { stories: { group } };

/** The pairs of a group over a year. */
function group(context) {
  const { random, size, record } = context;
  const companies = COUNTRIES.map((country) => `${country}${digits(random, 2)}`);
  const start = START + random.below(20) * DAY;
  for (let left = Math.ceil(size / record.events_per_pair); left > 0; left--) {
    const [payer, payee] = twoOf(random, companies);
    const pair = { payer, payee, isManual: random.chance(0.15), loan: random.chance(0.4) };
    for (let month = 0; month < MONTHS; month++) settleMonth(context, pair, start, month);
  }
}

function twoOf(random, companies) {
  const one = random.pick(companies);
  return [one, random.pick(companies.filter((other) => other !== one))];
}

function settleMonth(context, pair, start, month) {
  const { random } = context;
  const first = Date.UTC(2025, month, 1);
  const end = Date.UTC(2025, month + 1, 1);
  if (first < start) return;
  const charges = Array.from({ length: 1 + random.below(4) }, () =>
    recharge(context, pair, first + random.next() * (end - first - DAY)),
  );
  if (pair.loan) interest(context, pair, end);
  if (random.chance(0.12)) return;
  const period = new Date(first).toISOString().slice(0, 7);
  const net = Math.abs(charges.reduce((sum, { amount }) => sum + amount, 0));
  if (net === 0) return;
  const cause = pair.isManual ? null : agree(context, pair, { period, net, end });
  const late = random.chance(0.15) ? (20 + random.below(30)) * DAY : 0;
  settle(context, pair, {
    amount: net,
    time: end + (4 + random.below(3)) * DAY + late,
    cause,
    period,
  });
}

/** A charge for services; urgent ones are paid alone. */
function recharge(context, { payer, payee }, time) {
  const { world, random } = context;
  const isBack = random.chance(0.3);
  const amount = cents(random, 18_000, 0.9);
  const document = `IC${digits(random, 7)}`;
  const [from, to] = isBack ? [payer, payee] : [payee, payer];
  const isUrgent = random.chance(0.2);
  const cause = world.decide({
    agent: `recharge-${1 + random.below(3)}`,
    action: 'post_recharge',
    time,
    isHidden: random.chance(0.04),
    holds: [document],
    metadata: { ...runNoise(random), company: from },
    inputs: { partner: to, service: random.pick(['IT', 'HR', 'licences']), urgent: isUrgent },
    outputs: { document, amount: decimal(amount), currency: 'EUR' },
  });
  if (!isUrgent) return { amount: isBack ? -amount : amount };
  book(context, {
    type: 'IC_TRANSFER',
    amount: isBack ? amount : -amount,
    time: time + random.logNormal(2, 0.5) * DAY,
    cause,
    metadata: { ordering: to, beneficiary: from, purpose: `${document} urgent` },
    holds: [document],
  });
  return { amount: 0 };
}

/** A draft, the statement, and a new statement if the partner disputes it. */
function agree(context, pair, { period, net, end }) {
  const { random } = context;
  const state = (action, time, amount, outputs, isHidden = false) =>
    context.world.decide({
      agent: `netting-${1 + random.below(2)}`,
      action,
      time,
      isHidden,
      metadata: { ...runNoise(random), pair: `${pair.payer}/${pair.payee}` },
      inputs: { companies: [pair.payer, pair.payee], month: period },
      outputs: { ...outputs, net: decimal(amount) },
    });
  if (random.chance(0.6)) {
    const draft = Math.round(net * (random.chance(0.4) ? 1 : 0.5 + random.next() / 2));
    state('prepare_netting', end - (2 + 6 * random.next()) * DAY, draft, { state: 'draft' });
  }
  const isHidden = random.chance(0.04);
  let time = end + random.next() * 20 * HOUR;
  if (random.chance(0.25)) {
    const wrong = Math.round(net * (0.7 + 0.6 * random.next()));
    state('confirm_netting', time, wrong, { state: 'rejected', by: pair.payee });
    time += random.next() * 2 * DAY;
  }
  return state('confirm_netting', time, net, { state: 'agreed' }, isHidden);
}

function settle(context, pair, { amount, time, cause, period }) {
  const { random } = context;
  const [year, month] = period.split('-');
  book(context, {
    type: 'IC_TRANSFER',
    amount: -amount,
    time,
    cause,
    metadata: {
      ordering: pair.payer,
      beneficiary: pair.payee,
      purpose: random.chance(0.6) ? `NETTING ${month}/${year}` : `netting ${period}`,
    },
  });
}

function interest(context, pair, end) {
  book(context, {
    type: context.random.chance(0.5) ? 'IC_INTEREST' : 'IC_TRANSFER',
    amount: -cents(context.random, 4000, 0.3),
    time: end + 3 * DAY,
    cause: null,
    metadata: { ordering: pair.payer, beneficiary: pair.payee, purpose: 'loan interest' },
  });
}

function book({ world, random }, { type, amount, time, cause, metadata, holds = [] }) {
  world.event({
    type,
    id: `TRS${digits(random, 9)}`,
    amount,
    time: midnight(time),
    recorded: midnight(time) + 33 * HOUR,
    cause,
    metadata: { ...sourceNoise(random), ...metadata },
    holds,
  });
}
