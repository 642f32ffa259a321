import { DAY, dayOf, YEAR_START } from './calendar.js';
import { BASE } from './currencies.js';
import { bookTransfer, reportPayment } from './invoices.js';
import { payouts } from './payouts.js';
import { price } from './prices.js';
import {
  newCharge,
  pickNaming,
  reportCharge,
  reportFromBank,
  reportFromBooks,
  reportFromShop,
} from './reporters.js';
import { dispute, refund, refundedSale } from './returns.js';
import { sell } from './sales.js';
import { subscription } from './stories.js';

/** @typedef {import('./company.js').Company} Company */

/**
 * A company of another kind: prepayments, vouchers, instalments, one payment for several orders, several payments for
 * one, books that have sums, and a bank that reports every line in words of its own.
 */
export const MARKETPLACE = [
  { share: 14, tell: (company) => sell(company, { category: 'sale' }) },
  { share: 2, tell: subscription },
  { share: 4, tell: refundedSale },
  { share: 5, tell: prepaid },
  { share: 5, tell: voucher },
  { share: 5, tell: instalments },
  { share: 5, tell: cart },
  { share: 5, tell: shipments },
  { share: 5, tell: disputedAfterRefund },
  { share: 4, tell: weeklySum },
  { share: 6, tell: taxApart },
  { share: 7, tell: paidAtBank },
  { share: 7, tell: costAtBank },
];

const EVERYWHERE = { shop: true, stripe: true, books: true };
const PLANNED = { isPlanned: true };
const ASKED = { isPlanned: true, isAskable: true };

/** The bank has no word of its own for what Stripe pays out. @param {Company} company */
export function closeMarketplace(company) {
  monthlyFees(company);
  payouts(company, 'credit');
}

/** @param {Company} company */
function begin(company, name) {
  const [unit, customer] = [`${name} ${company.next('unit')}`, company.customer()];
  const at = Math.min(company.moment(), YEAR_START + 300 * DAY);
  return { unit, customer, at, category: name, currency: BASE, kind: 'sale' };
}

/** A payment by card of its own, with what Stripe keeps of it. */
function charge(company, { customer, reference, amount, movement }) {
  const { at, currency } = movement;
  const sale = { amount, currency, at, customer, reference, isNamed: true };
  const made = newCharge(company, sale);
  reportCharge(company, movement, made);
  return made;
}

/** A year is paid at once and earned month by month: the books recognise it from what they owe the customer. */
function prepaid(company) {
  const { customer, ...fields } = begin(company, 'prepaid year');
  const [month, reference] = [1000 * (5 + company.random.below(20)), company.order()];
  const amount = 12 * month;
  const movement = company.move({ ...fields, expected: amount });
  charge(company, { customer, reference, amount, movement });
  reportFromShop(company, movement, { type: 'sale', amount, references: [reference], customer });
  const accounts = { from: 'liabilities:deferred', to: 'assets:stripe' };
  bookTransfer(company, { ...fields, ...accounts, amount, text: reference });
  for (let index = 1; index <= 6; index += 1) {
    const time = fields.at + index * 30 * DAY;
    const earned = company.move({ ...fields, kind: 'accrual', at: time, expected: 0 });
    reportFromBooks(company, earned, {
      ...{
        amount: month,
        account: 'income:subscriptions',
        references: [reference],
        naming: 'text',
      },
      ...{ text: `Month ${index} of`, contra: accounts.from, delay: 0, ...PLANNED },
    });
  }
}

/** A voucher is sold, and pays a part of a later order. The shop states the whole order. */
function voucher(company) {
  const { customer, ...fields } = begin(company, 'voucher');
  const [value, first, reference] = [5000, company.order(), company.order()];
  const sold = company.move({ ...fields, unit: `${fields.unit} sold`, expected: value });
  charge(company, { customer, reference: first, amount: value, movement: sold });
  const said = { type: 'voucher_sale', amount: value, references: [first], customer };
  reportFromShop(company, sold, said);
  const account = 'liabilities:vouchers';
  const transfer = { from: account, to: 'assets:stripe', text: first };
  bookTransfer(company, { ...fields, ...transfer, amount: value });

  const [card, at] = [price(company, BASE) + 100, fields.at + 20 * DAY];
  const movement = company.move({
    ...{ ...fields, at, expected: card, apart: card, isDoubtful: true },
    category: 'order paid with a voucher',
  });
  charge(company, { customer, reference, amount: card, movement });
  const parts = { paid_by_voucher: '50.00', paid_by_card: (card / 100).toFixed(2) };
  const order = { type: 'sale', amount: card + value, references: [reference], metadata: parts };
  reportFromShop(company, movement, { ...order, customer });
  reportFromBooks(company, movement, {
    ...{ amount: card + value, account: 'income:sales', references: [reference], naming: 'code' },
    ...{ text: 'Sale', customer, with: [{ account, amount: value, currency: BASE }] },
  });
}

/** The shop reports an order once, the books an invoice; the card pays it in three parts. */
function instalments(company) {
  const { customer, ...fields } = begin(company, 'instalments');
  const [part, reference] = [1000 * (3 + company.random.below(30)), company.order()];
  const order = company.move({ ...fields, expected: 0 });
  const amount = 3 * part;
  const said = { type: 'sale', amount, references: [reference], customer, ...ASKED };
  reportFromShop(company, order, said);
  const from = 'assets:receivable';
  reportFromBooks(company, order, {
    ...{ amount, account: 'income:sales', references: [reference], naming: 'code', customer },
    ...{ text: 'Invoice', contra: from, delay: 0, ...PLANNED },
  });
  for (let index = 0; index < 3; index += 1) {
    const at = fields.at + index * 30 * DAY;
    const movement = company.move({ ...fields, at, expected: part });
    charge(company, { customer, reference, amount: part, movement });
    const references = [reference];
    const transfer = { at, amount: part, references, currency: BASE, from, to: 'assets:stripe' };
    reportPayment(company, movement, transfer);
  }
}

/** One payment for several orders: shop and books have the orders, Stripe has the sum. */
function cart(company) {
  const { customer, ...fields } = begin(company, 'several orders, one payment');
  const { random } = company;
  const orders = Array.from({ length: 2 + random.below(3) }, () => ({
    ...{ reference: company.order(), amount: price(company, BASE) },
  }));
  const amount = orders.reduce((sum, one) => sum + one.amount, 0);
  const movement = company.move({ ...fields, expected: amount });
  const text = orders.map(({ reference }) => reference).join(' ');
  const paid = charge(company, { customer, reference: text, amount, movement });
  for (const { reference, amount: part } of orders) {
    const order = company.move({ ...fields, expected: 0 });
    const references = random.chance(0.5) ? [reference, paid.intent] : [reference];
    reportFromShop(company, order, { type: 'sale', amount: part, references, customer, ...ASKED });
    reportFromBooks(company, order, {
      ...{ amount: part, account: 'income:sales', references: [reference], naming: 'code' },
      ...{ text: 'Sale', customer, delay: 0, ...ASKED },
    });
  }
}

/** One order is sent and charged in parts: shop and Stripe have the parts, the books have the order. */
function shipments(company) {
  const { customer, ...fields } = begin(company, 'one order, several payments');
  const [reference, whole] = [company.order(), price(company, BASE) + 300];
  const order = company.move({ ...fields, expected: 0 });
  reportFromBooks(company, order, {
    ...{ amount: whole, account: 'income:sales', references: [reference], naming: 'code' },
    ...{ text: 'Sale', customer, delay: 0, ...ASKED },
  });
  const first = Math.floor(whole * (0.2 + 0.2 * company.random.next()));
  const second = Math.floor(whole * 0.33) + 1;
  for (const [index, amount] of [first, second, whole - first - second].entries()) {
    const at = fields.at + index * 2 * DAY;
    const movement = company.move({ ...fields, at, expected: amount });
    const { intent } = charge(company, { customer, reference, amount, movement });
    const said = { type: 'sale', amount, references: [reference, intent], customer };
    reportFromShop(company, movement, { ...said, metadata: { shipment: String(index + 1) } });
  }
}

/** The customer gets the money back, and disputes the payment all the same. */
function disputedAfterRefund(company) {
  const sale = sell(company, { category: 'sale, refunded and disputed', coverage: EVERYWHERE });
  const at = sale.at + (2 + company.random.below(5)) * DAY;
  const given = { amount: sale.amount, total: sale.amount, at };
  refund(company, sale, { ...given, category: 'refund before a dispute' });
  dispute(company, sale, at + (5 + company.random.below(20)) * DAY);
}

/** Small payments, of which the books have a sum for each product and week. */
function weeklySum(company) {
  const { customer: _, at, ...fields } = begin(company, 'sum of a week');
  const product = company.random.pick(['print', 'scan', 'storage']);
  const monday = at - (at % (7 * DAY)) + 4 * DAY;
  let sum = 0;
  for (let index = 3 + company.random.below(5); index > 0; index -= 1) {
    const amount = 100 * (5 + company.random.below(40)) + 99;
    const movement = company.move({ ...fields, at: monday + index * 0.9 * DAY, expected: amount });
    const who = { customer: company.customer(), reference: company.order() };
    charge(company, { ...who, amount, movement });
    sum += amount;
  }
  const posted = company.move({ ...fields, at: monday + 6 * DAY, expected: 0 });
  reportFromBooks(company, posted, {
    ...{ amount: sum, account: `income:${product}`, references: [], naming: 'none', delay: 0 },
    ...{ text: `Week of ${dayOf(monday)}`, ...ASKED },
  });
}

/** The books have income and tax of a sale in two transactions. */
function taxApart(company) {
  const gross = price(company, BASE) + 100;
  const net = Math.round(gross / 1.19);
  const sale = sell(company, {
    ...{
      category: 'tax in a transaction of its own',
      amount: gross,
      currency: BASE,
      naming: 'code',
    },
    ...{ coverage: { stripe: true, books: true, shop: true }, isNamed: true, isDoubtful: true },
    ...{ expected: net, booked: { amount: net } },
  });
  sale.movement.apart = gross;
  const accounts = { from: 'liabilities:vat', to: 'assets:stripe' };
  const transfer = { at: sale.at, amount: gross - net, currency: BASE, ...accounts };
  bookTransfer(company, { ...transfer, text: `VAT ${sale.reference}` });
}

/** An invoice is paid by a transfer: the bank has a line, and the books have both. */
function paidAtBank(company) {
  const { customer, ...fields } = begin(company, 'invoice paid at the bank');
  const amount = price(company, BASE);
  const reference = `INV-2025-${String(company.next('invoice')).padStart(5, '0')}`;
  const due = company.move({ ...fields, kind: 'accrual', expected: 0 });
  const from = 'assets:receivable';
  reportFromBooks(company, due, {
    ...{ amount, account: 'income:services', references: [reference], naming: 'code', customer },
    ...{ text: 'Invoice', contra: from, delay: 0, ...PLANNED },
  });
  const at = fields.at + (5 + company.random.below(30)) * DAY;
  const movement = company.move({ ...fields, at, expected: amount });
  const references = company.random.chance(0.75) ? [reference] : [];
  const text = `${customer.name} ${references.join('')}`.trim();
  reportFromBank(company, movement, { type: 'credit', amount, references, text, at });
  const transfer = { at, amount, references: [reference], currency: BASE, from };
  reportPayment(company, movement, { ...transfer, to: 'assets:bank' });
}

/** The bank has the debit, and the books have the bill. */
function costAtBank(company) {
  const { customer: _, ...fields } = begin(company, 'cost at the bank');
  const { random } = company;
  const amount = -(price(company, BASE) + 2000);
  const reference = `BILL-${company.next('bill', 20_101)}`;
  const movement = company.move({ ...fields, kind: 'cost', expected: amount });
  const references = random.chance(0.6) ? [reference] : [];
  const line = { type: 'debit', amount, references, at: fields.at };
  reportFromBank(company, movement, { ...line, text: `SEPA ${references.join('')}`.trim() });
  reportFromBooks(company, movement, {
    ...{ amount, account: random.pick(['expenses:rent', 'expenses:hosting']), text: 'Bill' },
    ...{ references: [reference], naming: pickNaming(random), contra: 'assets:bank', delay: 0 },
  });
}

/** Of what Stripe keeps, the books have a sum for each month. */
function monthlyFees(company) {
  for (let month = 0; month < 12; month += 1) {
    const [from, to] = [Date.UTC(2025, month, 1), Date.UTC(2025, month + 1, 1)];
    const sum = company.account.transactions
      .filter(
        ({ created, currency }) =>
          currency === 'eur' && created >= from / 1000 && created < to / 1000,
      )
      .reduce((all, { fee }) => all + fee, 0);
    if (sum === 0) continue;
    const fields = { kind: 'fee', currency: BASE, at: to - DAY, expected: 0 };
    const posted = company.move({ ...fields, category: 'fees of a month' });
    reportFromBooks(company, posted, {
      ...{ amount: -sum, account: 'expenses:fees', references: [], naming: 'none', delay: 0 },
      ...{ text: `Stripe fees ${dayOf(from).slice(0, 7)}`, ...ASKED },
    });
  }
}
