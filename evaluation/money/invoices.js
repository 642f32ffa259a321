import { DAY, dayOf, startOfDay } from './calendar.js';
import { BASE } from './currencies.js';
import { price } from './prices.js';
import { newCharge, reportCharge, reportFromBooks, reportFromShop } from './reporters.js';

/** @typedef {import('./company.js').Company} Company */

/** An invoice is posted as income before it is paid: at once, in two parts, together with another, or never. */
export function invoices(company) {
  const { random } = company;
  const way = random.pick(['paid', 'paid', 'paid in parts', 'paid together', 'unpaid']);
  const unit = `invoice ${company.next('unit')}`;
  const [customer, at] = [company.customer(), company.moment()];
  const amounts = way === 'paid together' ? [0, 1] : [0];
  const posted = amounts.map(() => accrue(company, { unit, customer, at, category: way }));
  const total = posted.reduce((sum, { amount }) => sum + amount, 0);
  const references = posted.map(({ reference }) => reference);
  const due = at + (10 + random.below(30)) * DAY;
  const settle = (amount, time) =>
    pay(company, { unit, customer, amount, at: time, references, category: way });
  if (way === 'unpaid') return;
  if (way !== 'paid in parts') return settle(total, due);
  const first = Math.floor(total * (0.3 + 0.4 * random.next()));
  settle(first, due);
  settle(total - first, due + (5 + random.below(15)) * DAY);
}

function accrue(company, { unit, customer, at, category }) {
  const amount = price(company, BASE);
  const reference = `INV-2025-${String(company.next('invoice')).padStart(5, '0')}`;
  const movement = company.move({
    ...{ category: `invoice ${category}`, kind: 'accrual', unit, at, expected: 0, currency: BASE },
  });
  reportFromBooks(company, movement, {
    ...{ amount, account: 'income:services', references: [reference], naming: 'code', customer },
    ...{ text: 'Invoice', contra: 'assets:receivable', isPlanned: true, delay: 0 },
  });
  return { amount, reference };
}

/** By card at Stripe, or by a transfer that the shop's code is told of. The books post each payment against what was due. */
function pay(company, { unit, customer, amount, at, references, category }) {
  const paid = { category: `invoice ${category}`, kind: 'sale', unit, at, currency: BASE };
  const movement = company.move({ ...paid, expected: amount });
  const isByCard = company.random.chance(0.5);
  if (isByCard) {
    const sale = { amount, currency: BASE, at, customer, reference: references[0], isNamed: true };
    reportCharge(company, movement, newCharge(company, sale));
  } else {
    const said = { type: 'payment', amount, references, customer };
    reportFromShop(company, movement, { ...said, metadata: { invoice: references.join(' ') } });
  }
  reportPayment(company, movement, {
    ...{ at, amount, references, currency: BASE, from: 'assets:receivable' },
    to: isByCard ? 'assets:stripe' : 'assets:bank',
  });
}

/** What was owed is posted as paid, with the numbers of what it pays. */
export function reportPayment(company, movement, transfer) {
  const { at, amount, references, currency, from } = transfer;
  const voucher = bookTransfer(company, { ...transfer, text: references.join(' ') });
  movement.reports.push({
    ...{ key: `books ${voucher} ${from}`, source: 'books', movement: movement.id },
    ...{ at: startOfDay(at), amount, currency, references },
  });
}

/** @returns the voucher */
export function bookTransfer(company, { at, amount, from, to, text, currency }) {
  const voucher = company.voucher();
  const postings = [{ account: to, amount, currency }];
  const content = { day: dayOf(at), description: `Payment ${text}`, tags: { voucher }, postings };
  const versions = [{ from: at, text: { ...content, contra: from } }];
  company.entries.push({ voucher, appears: at, versions });
  return voucher;
}
