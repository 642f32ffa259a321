import { feeOf } from './balance.js';
import { DAY } from './calendar.js';
import { BASE } from './currencies.js';
import { price } from './prices.js';
import { reportFromShop } from './reporters.js';
import { refund } from './returns.js';
import { sell } from './sales.js';

/** @typedef {import('./company.js').Company} Company */

/** Sales that the books have in other amounts than the processor. */

const TAX = 0.19;
/** @param {number} gross */
const untaxed = (gross) => Math.round(gross / (1 + TAX));

/** The processor reports gross; the books split income and tax. Revenue is without tax, and so is what is refunded. */
export function taxed(company) {
  const { random } = company;
  const gross = price(company, BASE);
  const sale = sell(company, {
    ...{ category: 'tax', amount: gross, currency: BASE, expected: untaxed(gross), naming: 'code' },
    coverage: { stripe: true, books: true, shop: random.chance(0.5) },
    ...{ isNamed: true, booked: split(gross) },
    ...(random.chance(0.5) && { metadata: { tax: ((gross - untaxed(gross)) / 100).toFixed(2) } }),
  });
  if (!random.chance(0.15)) return;
  const part = random.chance(0.6) ? gross : Math.max(1, Math.floor(gross * 0.4));
  refund(company, sale, {
    ...{ category: 'refund with tax', amount: part, total: part, expected: -untaxed(part) },
    ...{ at: sale.at + (2 + random.below(15)) * DAY, booked: { ...split(-part), naming: 'code' } },
  });
}

/** @param {number} gross */
function split(gross) {
  const tax = { account: 'liabilities:vat', amount: untaxed(gross) - gross, currency: BASE };
  return { amount: untaxed(gross), account: 'income:sales', with: [tax] };
}

/** The customer pays in one currency; Stripe settles and the books have the base currency. */
export function converted(company) {
  const { random } = company;
  const [currency, at] = [random.pick(['USD', 'USD', 'SEK', 'JPY', 'GBP']), company.moment()];
  const amount = price(company, currency);
  const booked = { amount: company.rates.toBase(amount, currency, at), currency: BASE };
  sell(company, {
    ...{ category: 'conversion', amount, currency, at, booked, naming: 'code', isConverted: true },
    coverage: { stripe: true, books: true, shop: random.chance(0.5) },
    isNamed: true,
  });
}

/**
 * The books have only what was left after the fee. Stripe states its own; of what was not paid at Stripe, the shop
 * states the fee, or nobody does.
 */
export function netOfFee(company) {
  const { random } = company;
  const amount = price(company, BASE) + 100;
  const net = { booked: { amount: amount - feeOf(amount) }, naming: 'code', isNamed: true };
  const way = random.pick(['of Stripe', 'of Stripe', 'of the shop', 'nobody states']);
  const sale = sell(company, {
    ...{ category: `net of a fee ${way}`, amount, currency: BASE, ...net },
    coverage: {
      shop: random.chance(0.7) || way !== 'of Stripe',
      stripe: way === 'of Stripe',
      books: true,
    },
    isDoubtful: way === 'nobody states',
  });
  if (way !== 'of the shop') return;
  const { at, reference } = sale;
  const fee = { kind: 'fee', at, expected: -feeOf(amount), currency: BASE };
  const movement = company.move({ ...fee, category: 'net of a fee of the shop' });
  const said = { type: 'processing_fee', amount: -feeOf(amount), references: [reference] };
  reportFromShop(company, movement, said);
}

/** The books have sale, fee and what is left in one transaction; the shop may state the fee, too. */
export function grossAndFee(company) {
  const { random } = company;
  const amount = price(company, BASE) + 100;
  const part = { account: 'expenses:fees', amount: feeOf(amount), currency: BASE };
  const sale = sell(company, {
    ...{ category: 'sale with its fee', amount, currency: BASE, naming: 'code', isNamed: true },
    coverage: { shop: random.chance(0.5), stripe: true, books: true },
    booked: { with: [part] },
  });
  const { fee, entry, reference, customer, coverage, inBooks } = sale;
  if (fee === undefined || entry === undefined || !inBooks) throw new Error('it is in the books');
  fee.category = 'fee of several sources';
  const sold = sale.movement.reports.find(({ source }) => source === 'books');
  fee.reports.push({
    ...{ ...sold, key: `books ${entry.voucher} ${part.account}`, movement: fee.id },
    amount: -part.amount,
  });
  if (coverage.shop !== true || random.chance(0.5)) return;
  const said = { type: 'processing_fee', amount: -part.amount, references: [reference], customer };
  reportFromShop(company, fee, said);
}
