// The amount distinguishes decisions of one customer, and no two systems write it alike.
import { cents, decimal, rateOn, walkRates } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, lag, officeTime } from '../time.js';

const CURRENCIES = ['EUR', 'EUR', 'USD', 'CHF'];
const SYMBOLS = { EUR: '€', USD: '$', CHF: 'CHF' };

/** How a decision states cents of a currency. */
const STATEMENTS = [
  (amount, currency) => ({ amount: inexact(amount), currency }),
  (amount, currency) => ({ approved_sum: `${currency} ${english(amount)}` }),
  (amount, currency) => ({ Betrag: `${german(amount)} ${SYMBOLS[currency]}` }),
  (amount, currency) => ({ text: `Paid out ${decimal(amount)} ${currency} as agreed.` }),
  (amount, currency) => ({ total: { value: decimal(amount), currency } }),
];

export const amounts = {
  member: (random) => `VN-${digits(random, 5)}`,
  prepare: ({ random, record, span }) => ({
    settings: walkRates(random, record.currency, record.rates, span),
  }),
  settings: ({ settings }) => settings,
  stories: { unrelated, payouts },
};

/** Several decisions on one partner within days, each paid by itself and in any order. */
function payouts(context) {
  const { random } = context;
  const partner = random.pick(context.members);
  const start = officeTime(random, context.span);
  for (let left = 2 + random.below(3); left > 0; left--) {
    const currency = random.pick(CURRENCIES);
    const amount = cents(random, 1200, 0.9);
    const time = start + random.next() * 3 * DAY;
    const cause = decide(context, { partner, amount, currency, time });
    if (random.chance(0.85)) pay(context, { partner, amount, currency, time, cause });
  }
}

function decide({ world, random }, { partner, amount, currency, time }) {
  return world.decide({
    agent: `ap-agent-${1 + random.below(4)}`,
    action: random.pick(['approveInvoice', 'approveInvoice', 'gutschrift_buchen']),
    time,
    isHidden: random.chance(0.04),
    holds: [partner],
    metadata: { ...runNoise(random), vendor: partner },
    inputs: { limit: '50000.00', lines: 1 + random.below(9) },
    outputs: { result: 'ok', ...random.pick(STATEMENTS)(amount, currency) },
    alternatives: [{ action: 'hold', expected_cost: inexact(Math.round(amount * 0.1)) }],
  });
}

function pay({ world, random, settings }, { partner, amount, currency, time, cause }) {
  const paid = time + lag(random, 30, 0.6);
  const other = random.chance(0.3) ? random.pick(CURRENCIES) : currency;
  const rate = rateOn(settings, currency, paid) / rateOn(settings, other, paid);
  const spread = other === currency ? 1 : 1 + 0.003 * random.normal();
  world.event({
    type: random.pick(['PAYRUN', 'SEPA_OUT']),
    amount: -Math.max(1, Math.round(amount * rate * spread)),
    currency: other,
    time: paid,
    cause,
    metadata: { ...sourceNoise(random), beneficiary: { number: partner } },
    holds: [partner],
  });
}

/** A standing payment to a known partner. */
function unrelated({ world, random, span, members }) {
  const partner = random.pick(members);
  world.event({
    type: random.pick(['PAYRUN', 'SEPA_OUT']),
    amount: -cents(random, 1200, 0.9),
    currency: random.pick(CURRENCIES),
    time: officeTime(random, span),
    metadata: { ...sourceNoise(random), beneficiary: { number: partner } },
    holds: [partner],
  });
}

/** The sum of two parts in binary, which is often not the nearest number. */
const inexact = (amount) => (amount - 1) / 100 + 0.01;
const english = (amount) => grouped(amount, ',', '.');
const german = (amount) => grouped(amount, '.', ',');

function grouped(amount, thousands, point) {
  const [whole, rest] = decimal(amount).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${point}${rest}`;
}
