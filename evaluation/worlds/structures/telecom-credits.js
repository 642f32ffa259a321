// A telecom: agents grant credits and discounts net of tax, and the next bills of the line show them gross.
import { decimal } from '../money.js';
import { digits, telemetry } from '../noise.js';
import { DAY, HOUR, lag, START } from '../time.js';

const MONTH = 30 * DAY;
/** Cents, net of tax. */
const GRANTS = [300, 400, 500, 750, 1000, 1250, 1500, 2000, 2500];
const OUTAGE_CREDITS = [150, 200, 500, 1000];
const OPTIONS = [300, 500, 1000, 1500];
const BASIC_CHARGES = [1680, 2520, 4201];
const REASONS = ['outage', 'waiting time', 'wrong advice'];
const TALK = ['run_line_test', 'search_kb', 'check_outage'];
/** How decisions may state a number; a line keeps one of them. */
const SPELLINGS = [
  (number) => `0049${number}`,
  (number) => `0${number.slice(0, 3)}/${number.slice(3)}`,
  (number) => `+49 ${number.slice(0, 3)} ${number.slice(3, 7)} ${number.slice(7)}`,
];

export const telecomCredits = {
  prepare: ({ size }) => ({ span: Math.max(2, Math.ceil(size / 220)) * MONTH }),
  stories: { line },
};

const gross = (net) => Math.round(net * 1.19);

function line(context) {
  const { random } = context;
  const one = {
    number: `15${digits(random, 9)}`,
    account: digits(random, 9),
    billDay: random.below(28),
    spelling: random.pick(SPELLINGS),
  };
  for (let left = 1 + random.geometric(1.6); left > 0; left--) chat(context, one);
  withoutAgent(context, one);
}

/** The bill after the time, or one of those after it. */
function nextBill({ billDay }, time, later = 0) {
  let bill = START + billDay * DAY;
  while (bill <= time) bill += MONTH;
  return bill + later * MONTH + 2 * HOUR;
}

function chat(context, line) {
  const { random } = context;
  const time = START + random.next() * context.span;
  const one = { line, time, session: `chat_${random.code(10)}` };
  decide(context, one, {
    action: 'load_account',
    outputs: { tariff: random.pick(['M', 'L', 'XL']), open_items: random.below(3) },
    isAccountKnown: true,
  });
  for (let left = random.geometric(2); left > 0; left--) {
    const action = random.pick(TALK);
    decide(context, one, { action, outputs: { ok: random.chance(0.7) } });
  }
  const draw = random.next();
  one.isHidden = random.chance(0.05);
  const net = random.pick(GRANTS);
  if (draw < 0.36) grantCredit(context, one, net);
  else if (draw < 0.5) applyDiscount(context, one, net);
  else if (draw < 0.68) bookOption(context, one, net);
  else if (draw < 0.76) {
    const inputs = { wanted: net / 100 };
    decide(context, one, { action: 'deny_credit', inputs, outputs: { result: 'denied' } });
  }
}

/** Perhaps after a wish for more was refused. */
function grantCredit(context, one, net) {
  const { random } = context;
  const action = 'grant_credit';
  if (random.chance(0.15)) {
    const inputs = { credit: { net: net / 100 + 10 } };
    decide(context, one, { action, inputs, outputs: { result: 'refused', limit: 25 } });
  }
  const cause = decide(context, one, {
    action,
    inputs: { credit: { net: net / 100 }, reason: random.pick(REASONS) },
    outputs: { result: 'granted' },
    isHidden: one.isHidden,
  });
  const time = nextBill(one.line, one.time);
  credit(context, one.line, { net, time, cause, text: 'Gutschrift Kulanz' });
}

function applyDiscount(context, one, net) {
  const months = context.random.pick([3, 6]);
  const cause = decide(context, one, {
    action: 'apply_loyalty_discount',
    inputs: { monthly_net_cents: net, months },
    outputs: { contract_extended: true },
    isHidden: one.isHidden,
  });
  for (let later = 0; later < months; later++) {
    const time = nextBill(one.line, one.time, later);
    credit(context, one.line, { net, time, cause, text: 'Rabatt' });
  }
}

function bookOption(context, one, net) {
  const option = context.random.pick(['DATA10', 'ROAM7', 'MUSIC1']);
  const cause = decide(context, one, {
    action: 'book_option',
    inputs: { option, price: { net: decimal(net) } },
    outputs: { active: true },
    isHidden: one.isHidden,
  });
  const time = nextBill(one.line, one.time);
  bill(context, one.line, {
    type: 'option_charge',
    amount: gross(net),
    time,
    cause,
    text: 'Option',
  });
}

/** Credits for outages, options that customers booked themselves, and basic charges. */
function withoutAgent(context, line) {
  const { random, span } = context;
  const anyBill = () => nextBill(line, START + random.next() * span);
  for (let left = random.geometric(0.55); left > 0; left--) {
    const net = random.pick(OUTAGE_CREDITS);
    credit(context, line, { net, time: anyBill(), cause: null, text: 'Gutschrift Störung' });
  }
  const charge = (type, nets, text) => {
    const amount = gross(random.pick(nets));
    bill(context, line, { type, amount, time: anyBill(), cause: null, text });
  };
  for (let left = random.geometric(0.35); left > 0; left--) {
    charge('option_charge', OPTIONS, 'Option');
  }
  for (let left = random.geometric(0.3); left > 0; left--) {
    charge('basic_charge', BASIC_CHARGES, 'Grundpreis');
  }
}

function decide({ world, random }, one, details) {
  const { action, inputs = {}, outputs, isAccountKnown = false, isHidden = false } = details;
  const { number, account, spelling } = one.line;
  one.time += lag(random, 0.04, 0.8);
  const statesAccount = isAccountKnown || random.chance(0.85);
  return world.decide({
    agent: random.pick(['tobi', 'tobi-voice']),
    action,
    time: one.time,
    isHidden,
    holds: [`line:${number}`, ...(statesAccount ? [`account:${account}`] : [])],
    metadata: { ...telemetry(random), session: one.session },
    inputs: {
      subscriber: spelling(number),
      ...(statesAccount ? { kundenkonto: account } : {}),
      ...inputs,
    },
    outputs,
  });
}

function credit(context, line, { net, ...details }) {
  bill(context, line, { type: 'credit_note', amount: -gross(net), ...details });
}

function bill({ world, random }, line, { type, amount, time, cause, text }) {
  const { number, account, billDay } = line;
  const isLineNamed = random.pick([true, true, false]);
  world.event({
    type,
    amount,
    time,
    cause,
    id: `CN-${digits(random, 10)}`,
    metadata: {
      billingAccount: account,
      ...(isLineNamed ? { serviceNumber: `49${number}` } : {}),
      text,
      tax: { code: 'A1', rate: 19 },
      cycle: `BC${String(billDay + 1).padStart(2, '0')}`,
    },
    holds: [`account:${account}`, ...(isLineNamed ? [`line:${number}`] : [])],
  });
}
