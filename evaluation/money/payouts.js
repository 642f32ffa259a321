import { DAY, startOfDay } from './calendar.js';
import { CODES } from './currencies.js';
import { bookTransfer } from './invoices.js';
import { reportFromBank, reportFromBooks, reportFromStripe } from './reporters.js';
import { paidOut, payoutOf, seconds } from './stripe.js';

/** @typedef {import('./company.js').Company} Company */

/**
 * Stripe pays out each week what is left of charges, refunds and fees, once it is more than nothing. The bank has a
 * line of it. The books have a transfer between own accounts; of one currency they have only this: the week's sum as
 * income, the fees, the bank.
 * @param {Company} company
 * @param {string} line what the bank calls it
 */
export function payouts(company, line = 'payout') {
  for (const currency of CODES) {
    const transactions = company.account.transactions
      .filter((one) => one.currency === currency.toLowerCase())
      .sort((one, other) => one.created - other.created);
    let open = [];
    for (const [week, parts] of byWeek(transactions)) {
      open = [...open, ...parts];
      if (sumOf(open, 'net') <= 0) continue;
      payOut(company, { at: week, parts: open, currency, line });
      open = [];
    }
  }
}

function byWeek(transactions) {
  const weeks = new Map();
  for (const one of transactions) {
    const day = startOfDay(one.created * 1000);
    const end = day + (7 - new Date(day).getUTCDay()) * DAY;
    weeks.set(end, [...(weeks.get(end) ?? []), one]);
  }
  return weeks;
}

const sumOf = (parts, member) => parts.reduce((sum, part) => sum + part[member], 0);

function payOut(company, { at, parts, currency, line }) {
  const { account, random, webhooks } = company;
  const [gross, fees, net] = ['amount', 'fee', 'net'].map((member) => sumOf(parts, member));
  const id = company.stripeId('po');
  const payout = payoutOf(id, at, net, currency);
  const category = 'payout';
  const movement = company.move({ category, kind: 'payout', at, expected: 0, currency });
  movement.payout = { id, gross, fees, net };
  reportFromStripe(movement, { object: id, type: 'payout', amount: net, references: [id] });
  webhooks.push({ arrives: at, event: paidOut(payout, at) });
  const txn = `txn_${id.slice(3)}`;
  const own = account.book({ id: txn, at, type: 'payout', amount: -net, currency, source: payout });
  account.payouts.push({ ...payout, created: seconds(at) });
  account.contents.set(
    id,
    [...parts, own].map((one) => one.id),
  );
  const named = random.chance(0.7) ? [id] : [];
  reportFromBank(company, movement, {
    ...{ type: line, amount: net, references: named, at: at + (1 + random.below(2)) * DAY },
    text: `STRIPE PAYMENTS ${named.join('')}`.trim(),
  });
  if (currency === company.lumps) bookAsOneSum(company, { id, at, gross, fees, currency });
  else {
    const accounts = { from: 'assets:stripe', to: 'assets:bank' };
    bookTransfer(company, { at, amount: net, text: `payout ${id}`, currency, ...accounts });
  }
}

/** The parts are money of their own, which Stripe reports one by one. */
function bookAsOneSum(company, { id, at, gross, fees, currency }) {
  const fields = { kind: 'payout', at, expected: 0, currency };
  const sum = company.move({ ...fields, category: 'payout posted as one sum' });
  const part = { account: 'expenses:fees', amount: fees, currency };
  const entry = reportFromBooks(company, sum, {
    ...{ amount: gross, account: 'income:sales', references: [id], naming: 'tag', delay: DAY },
    ...{ text: 'Stripe payout', contra: 'assets:bank', isPlanned: true, with: [part] },
  });
  const cost = company.move({ ...fields, category: 'fees posted as one sum' });
  cost.reports.push({
    ...{ ...sum.reports[0], key: `books ${entry.voucher} ${part.account}` },
    ...{ movement: cost.id, amount: -fees },
  });
}
