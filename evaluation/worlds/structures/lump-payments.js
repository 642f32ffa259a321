// Business customers pay several invoices in one sum; the statement that listed them made them pay.
import { cents, decimal } from '../money.js';
import { digits, runNoise, sourceNoise } from '../noise.js';
import { DAY, HOUR, lag, midnight, officeTime } from '../time.js';

const CASH_DISCOUNT = 0.98;

/** How a remittance names invoices. */
const REMITTANCES = [
  (numbers) => numbers.join(', '),
  (numbers) => numbers.join(' + '),
  (numbers) => `Rg.-Nr. ${numbers.map((number) => number.replaceAll('-', '')).join(' und ')}`,
  (numbers) => `RG ${numbers.map((number) => number.slice(-6)).join('/')} abzgl. Skonto`,
  () => 'Sammelzahlung, siehe Avis per Post',
];

export const lumpPayments = {
  prepare: ({ random }) => ({ last: 100_000 + random.below(90_000) }),
  stories: { account: (context) => account(context, `KD-${digits(context.random, 6)}`) },
};

/** The open items of one customer over months. */
function account(context, debtor) {
  const { random } = context;
  let time = officeTime(random, context.span);
  for (let rounds = 1 + random.geometric(1.5); rounds > 0; rounds--) {
    const open = [];
    for (let left = 1 + random.below(6); left > 0; left--) {
      time += random.logNormal(3, 0.7) * DAY;
      open.push(release(context, debtor, time));
    }
    const early = random.chance(0.35) ? open.shift() : undefined;
    if (early !== undefined) pay(context, debtor, [early], { cause: early.ref, after: early.time });
    if (open.length > 0)
      time = collect(context, debtor, open, time + (10 + random.below(25)) * DAY);
    if (random.chance(0.35)) prepayment(context, debtor, time + random.next() * 20 * DAY);
    time += random.logNormal(6, 0.6) * DAY;
  }
}

function release(context, debtor, time) {
  const { random } = context;
  context.last += 1 + random.below(9);
  const number = `RE-2025-${context.last}`;
  const gross = cents(random, 1400, 1);
  const ref = context.world.decide({
    agent: `billing-${1 + random.below(2)}`,
    action: 'invoice.release',
    time,
    isHidden: random.chance(0.05),
    holds: [debtor, number],
    metadata: { ...runNoise(random), debtor },
    inputs: { document: { no: number, positions: 1 + random.below(20) }, due_days: 30 },
    outputs: { posted: true, gross: decimal(gross), net: decimal(Math.round(gross / 1.19)) },
  });
  return { number, gross, time, ref };
}

/** Statements of the open items; some customers dispute one, most pay all or some in one sum. */
function collect(context, debtor, open, start) {
  const { random } = context;
  let time = start;
  let cause;
  for (let level = 1; level === 1 || random.chance(0.3); level++) {
    if (level > 1) time += random.logNormal(9, 0.4) * DAY;
    cause = statement(context, debtor, open, { time, level });
  }
  if (random.chance(0.3)) dispute(context, debtor, random.pick(open), time + 2 * HOUR);
  if (random.chance(0.1)) return time;
  const isAll = open.length < 3 || random.chance(0.6);
  const chosen = isAll ? open : open.filter((_, at) => at !== open.length - 2);
  pay(context, debtor, chosen, { cause, after: time });
  if (!isAll) pay(context, debtor, [open.at(-2)], { cause, after: time + 6 * DAY });
  return time;
}

function statement({ world, random }, debtor, open, { time, level }) {
  const items = open.map(({ number, gross }) => ({
    doc: number,
    open: decimal(gross),
    lvl: level,
  }));
  return world.decide({
    agent: `collections-${1 + random.below(3)}`,
    action: random.pick(['dunning.statement', 'dunning.statement', 'call_debtor']),
    time,
    isHidden: random.chance(0.05),
    holds: [debtor, ...open.map(({ number }) => number)],
    metadata: { ...runNoise(random), account: { debtor } },
    inputs: { level, items },
    outputs: { sent: true, items_total: decimal(sumOf(open)) },
  });
}

/** A complaint about one invoice: answered, or a credit of a part, which is paid back. */
function dispute(context, debtor, { number, gross }, time) {
  const { world, random } = context;
  const isGranted = random.chance(0.5);
  const credit = Math.ceil(gross * (0.05 + 0.25 * random.next()));
  const cause = world.decide({
    agent: 'disputes-1',
    action: 'dispute.resolve',
    time: time + lag(random, 5, 0.6),
    holds: [debtor, number],
    metadata: { ...runNoise(random), debtor },
    inputs: { complaint: `Die Rechnung ${number} über ${decimal(gross)} EUR ist nicht korrekt.` },
    outputs: isGranted
      ? { result: 'credit', credit_gross: decimal(credit) }
      : { result: 'rejected', letter: 'T-14' },
  });
  if (!isGranted) return;
  book(context, {
    type: 'OUT.TRF',
    amount: -credit,
    time: time + random.logNormal(5, 0.4) * DAY,
    cause,
    text: `Gutschrift zu ${number}`,
    debtor,
    holds: [debtor, number],
  });
}

function pay(context, debtor, invoices, { cause, after }) {
  const { random } = context;
  const style = random.below(10);
  const at = style === 9 ? 4 : Math.floor(style / 2.25);
  const isDiscounted = at === 3 || random.chance(0.15);
  const amount = Math.round(sumOf(invoices) * (isDiscounted ? CASH_DISCOUNT : 1));
  const numbers = invoices.map(({ number }) => number);
  book(context, {
    type: random.pick(['CR.TRF', 'CR.TRF', 'CR.SEPA']),
    amount,
    time: after + random.logNormal(4, 0.5) * DAY,
    cause,
    text: REMITTANCES[at](numbers),
    debtor: random.chance(0.7) || at === 4 ? debtor : null,
    holds: at === 4 ? [debtor] : numbers,
  });
}

/** Money on account for goods not ordered yet: a known customer, and no invoice. */
function prepayment(context, debtor, time) {
  const { random } = context;
  book(context, {
    type: random.pick(['CR.TRF', 'CR.SEPA', 'CR.SEPA']),
    amount: cents(random, 1400, 1),
    time,
    cause: null,
    text: random.pick(['Akonto', `Vorkasse Bestellung ${digits(random, 8)}`]),
    debtor,
    holds: [debtor],
  });
}

function book({ world, random }, { type, amount, time, cause, text, debtor, holds }) {
  // A bank statement carries the booking day at the hour of its import.
  const day = midnight(time) + DAY;
  world.event({
    type,
    id: `NTRY-${digits(random, 11)}`,
    amount,
    time: day,
    recorded: day + 7 * HOUR,
    cause,
    metadata: {
      ...sourceNoise(random),
      remittance: { unstructured: [text] },
      ...(debtor === null ? {} : { counterparty: { customer: debtor } }),
    },
    holds,
  });
}

const sumOf = (invoices) => invoices.reduce((total, { gross }) => total + gross, 0);
