import { pickCurrency } from './currencies.js';
import { price } from './prices.js';
import {
  newCharge,
  pickNaming,
  reportCharge,
  reportFromBooks,
  reportFromShop,
} from './reporters.js';

/**
 * @typedef {import('./company.js').Company} Company
 * @typedef {{ shop?: boolean, stripe?: boolean, books?: boolean }} Coverage
 */

const COVERAGES = [
  { share: 0.4, shop: true, stripe: true, books: true },
  { share: 0.28, stripe: true, books: true },
  { share: 0.08, shop: true, stripe: true },
  { share: 0.1, shop: true, books: true },
  { share: 0.05, stripe: true },
  { share: 0.03, shop: true },
  { share: 0.06, books: true },
];

/** What is only in the books is no sale in a currency that is posted as the sums that were paid out: see payouts.js. */
function coverageOf({ random, lumps }, wanted, currency) {
  const { coverage = random.weighted(COVERAGES), booked } = wanted;
  if (currency !== lumps || booked !== undefined) return coverage;
  return coverage.shop === true || coverage.stripe === true
    ? coverage
    : { ...coverage, stripe: true };
}

/**
 * A sale that the sources of its coverage report.
 * @param {Company} company
 * @param {{ category: string, amount?: number, currency?: string, at?: number, coverage?: Coverage,
 *   naming?: import('./reporters.js').Naming, customer?: import('./company.js').Customer, reference?: string,
 *   booked?: Partial<import('./reporters.js').Posted>, expected?: number, metadata?: object, isDoubtful?: boolean,
 *   isNamed?: boolean, isConverted?: boolean }} wanted
 */
export function sell(company, wanted) {
  const { random } = company;
  const currency = wanted.currency ?? pickCurrency(random);
  const amount = wanted.amount ?? price(company, currency);
  const { at = company.moment(), customer = company.customer() } = wanted;
  const reference = wanted.reference ?? company.order();
  const coverage = coverageOf(company, wanted, currency);
  const { category, expected = amount, isDoubtful = false, metadata } = wanted;
  const movement = company.move({
    ...{ category, kind: 'sale', at, expected, currency, isDoubtful },
  });
  const isNamed = wanted.isNamed ?? random.chance(0.93);
  const charge =
    coverage.stripe === true
      ? newCharge(company, {
          ...{ amount, currency, at, customer, reference, isNamed },
          isConverted: wanted.isConverted,
        })
      : undefined;
  const fee = charge === undefined ? undefined : reportCharge(company, movement, charge);
  if (coverage.shop === true) {
    const knowsStripe = charge !== undefined && (!isNamed || random.chance(0.6));
    const references = [reference, ...(knowsStripe ? [charge.intent] : [])];
    reportFromShop(company, movement, { type: 'sale', amount, references, customer, metadata });
  }
  const inBooks =
    coverage.books === true && (currency !== company.lumps || wanted.booked !== undefined);
  const naming = wanted.naming ?? pickNaming(random);
  const who = { customer, reference, charge, coverage, naming };
  const sale = { movement, fee, amount, currency, at, ...who };
  return { ...sale, inBooks, entry: inBooks ? book(company, sale, wanted.booked) : undefined };
}

export function book(
  company,
  { movement, amount, customer, reference, charge, coverage, naming },
  more,
) {
  const isCash = coverage.shop !== true && coverage.stripe !== true && company.random.chance(0.6);
  // Some bookkeepers copy the id of the charge from Stripe's page.
  const isCopied = charge !== undefined && naming === 'tag' && company.random.chance(0.5);
  return reportFromBooks(company, movement, {
    ...{ amount, account: 'income:sales', text: isCash ? 'Counter sale' : 'Sale', isCash },
    ...{ references: [isCopied ? charge.id : reference], naming, customer },
    contra: isCash ? 'assets:cash' : charge === undefined ? 'assets:bank' : 'assets:stripe',
    ...more,
  });
}
