import { DAY } from './calendar.js';
import { CODES, worth } from './currencies.js';
import {
  pickNaming,
  reportFee,
  reportFromBooks,
  reportFromShop,
  reportFromStripe,
  send,
} from './reporters.js';
import { sell } from './sales.js';
import {
  DISPUTE_FEE,
  disputed,
  dispute as disputeObject,
  refunded,
  refund as refundObject,
} from './stripe.js';

/**
 * @typedef {import('./company.js').Company} Company
 * @typedef {ReturnType<typeof sell>} Sale
 */

const AT_STRIPE = [
  { stripe: true, books: true, shop: true },
  { stripe: true, books: true },
];

/** A sale with one refund of all, one of a part, or several. */
export function refundedSale(company) {
  const { random } = company;
  const sale = sell(company, {
    ...{ category: 'sale with refunds', coverage: random.pick(AT_STRIPE) },
  });
  const way = random.next();
  let at = sale.at + (1 + random.below(20)) * DAY;
  const give = (category, amount, total) => refund(company, sale, { category, amount, total, at });
  if (way < 0.4) return give('full refund', sale.amount, sale.amount);
  const first = Math.max(1, Math.floor(sale.amount * (0.1 + 0.4 * random.next())));
  if (way < 0.75) return give('partial refund', first, first);
  let total = 0;
  for (let left = 2 + random.below(2); left > 0 && total < sale.amount; left -= 1) {
    const isEqual = random.chance(0.2) && total + first <= sale.amount;
    const rest = sale.amount - total;
    const part = isEqual ? first : Math.max(1, Math.floor(rest * (0.1 + 0.3 * random.next())));
    total += part;
    give('several refunds', part, total);
    at += (1 + random.below(6)) * DAY;
  }
}

/**
 * @param {Company} company
 * @param {Sale} sale
 * @param {{ category: string, amount: number, total: number, at: number, expected?: number,
 *   booked?: Partial<import('./reporters.js').Posted> }} wanted total: of all refunds of the sale so far
 */
export function refund(company, sale, wanted) {
  const { random } = company;
  const { charge, reference, customer, currency } = sale;
  const { category, amount, total, at, expected = -amount, booked } = wanted;
  const movement = company.move({ category, kind: 'refund', at, expected, currency });
  const id = company.stripeId('re');
  for (const event of refunded(charge, at, id, amount, total)) send(company, event);
  const references = [id, charge.intent, charge.id];
  reportFromStripe(movement, { object: id, type: 'refund', amount: -amount, references });
  company.account.book({
    ...{ id: `txn_${id.slice(3)}`, at, type: 'refund', amount: -amount, currency },
    source: refundObject(charge, at, id, amount),
  });
  if (sale.coverage.shop === true) {
    const own = random.chance(0.5) ? [reference, id] : [reference, charge.intent];
    const said = { type: 'refund', amount: -amount, references: own, customer };
    reportFromShop(company, movement, said);
  }
  if (!sale.inBooks) return;
  const naming = pickNaming(random);
  const named = random.chance(0.3) ? id : reference;
  reportFromBooks(company, movement, {
    ...{ amount: -amount, account: random.pick(['income:sales', 'income:refunds']), naming },
    ...{ references: [named], text: 'Refund', customer, ...booked },
  });
}

/** The shop charges an order twice by mistake and refunds the second charge; shop and books have one sale. */
export function chargedTwice(company) {
  const { random } = company;
  const category = 'charged twice';
  const reference = company.order();
  const first = sell(company, {
    ...{ category, reference, coverage: AT_STRIPE[0], isNamed: true, isDoubtful: true },
  });
  const again = sell(company, {
    ...{ category, reference, coverage: { stripe: true }, isNamed: true, customer: first.customer },
    ...{ amount: first.amount, currency: first.currency, at: first.at + random.below(600) * 1000 },
  });
  const at = again.at + (1 + random.below(3)) * DAY;
  refund(company, again, { category, amount: again.amount, total: again.amount, at });
}

export function disputedSale(company) {
  const { random } = company;
  const sale = sell(company, { category: 'sale with a dispute', coverage: random.pick(AT_STRIPE) });
  dispute(company, sale, sale.at + (3 + random.below(30)) * DAY);
}

/**
 * A dispute is lost, won, or won in part. Each step has a posting of its own, and the bank's fee too.
 * @param {Company} company
 * @param {Sale} sale
 * @param {number} at
 */
export function dispute(company, sale, at) {
  const { random } = company;
  const { charge, amount, currency } = sale;
  const id = company.stripeId('du');
  const naming = pickNaming(random);
  const step = (kind, category, part, time) => {
    const movement = company.move({ category, kind, at: time, expected: part, currency });
    reportFromStripe(movement, {
      ...{ object: id, type: kind === 'dispute' ? 'dispute_loss' : 'dispute_recovery' },
      ...{ amount: part, references: [id, charge.intent, charge.id] },
    });
    if (sale.inBooks) bookDispute(company, sale, movement, { id, naming, part });
  };
  send(company, disputed('created', charge, at, id, amount, []));
  const ids = [0, 1].map((index) => `txn_${id.slice(3)}_${index}`);
  const book = (index, moved) =>
    company.account.book({
      ...{ id: ids[index], type: 'adjustment', currency, ...moved },
      source: disputeObject(charge, at, id, amount, []),
    });
  const taken = book(0, {
    ...{ category: 'dispute', amount: -amount, fee: worth(DISPUTE_FEE, currency), at: at + 60_000 },
  });
  send(company, disputed('funds_withdrawn', charge, at + 60_000, id, amount, [taken]));
  step('dispute', 'dispute', -amount, at + 60_000);
  disputeFee(company, sale, { id, naming, taken, at: at + 60_000 });
  const way = random.next();
  if (way < 0.4) return;
  const back = way < 0.7 ? amount : Math.max(1, Math.floor(amount * (0.2 + 0.6 * random.next())));
  const won = at + (10 + random.below(40)) * DAY;
  const given = book(1, { category: 'dispute_reversal', amount: back, at: won });
  send(company, disputed('funds_reinstated', charge, won, id, amount, [taken, given]));
  step('recovery', back === amount ? 'dispute won' : 'dispute won in part', back, won);
}

function bookDispute(company, sale, movement, { id, naming, part }) {
  const { reference, customer } = sale;
  const named = company.random.chance(0.4) ? id : reference;
  reportFromBooks(company, movement, {
    ...{ amount: part, account: 'expenses:chargebacks', references: [named], naming, customer },
    text: part < 0 ? 'Chargeback' : 'Chargeback reversed',
  });
}

/** Stripe keeps it with the money of the dispute; the books post it. */
function disputeFee(company, sale, { id, naming, taken, at }) {
  const { charge, customer, currency, reference, inBooks } = sale;
  const references = [id, charge.intent, charge.id];
  const movement = reportFee(company, taken, { at, currency, references, category: 'dispute fee' });
  if (!inBooks) return;
  reportFromBooks(company, movement, {
    ...{ amount: -taken.fee, account: 'expenses:fees', naming, customer, text: 'Dispute fee' },
    references: [company.random.chance(0.4) ? id : reference],
  });
}

/** What one source alone can know: rent, wages, advertising, and models that the shop's code pays for. */
export function cost(company) {
  const { random } = company;
  const [currency, at] = [random.pick(CODES), company.moment()];
  const amount = worth(Math.round(random.logNormal(9000, 0.8)), currency);
  const isShared = random.chance(0.5);
  const category = isShared ? 'cost of two sources' : 'cost in the books';
  const movement = company.move({ category, kind: 'cost', at, expected: -amount, currency });
  const reference = `BILL-${company.next('bill', 20_101)}`;
  if (isShared) {
    const said = { type: 'model_cost', amount: -amount, references: [reference] };
    reportFromShop(company, movement, said);
  }
  reportFromBooks(company, movement, {
    ...{ amount: -amount, account: isShared ? 'expenses:models' : random.pick(COST_ACCOUNTS) },
    ...{ references: [reference], naming: isShared ? 'code' : pickNaming(random), text: 'Bill' },
    contra: 'assets:bank',
  });
}

const COST_ACCOUNTS = ['expenses:rent', 'expenses:wages', 'expenses:advertising'];
