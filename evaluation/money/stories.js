import { DAY, HOUR } from './calendar.js';
import { BASE, pickCurrency } from './currencies.js';
import { price } from './prices.js';
import { newCharge, pickNaming, reportCapture, reportFromShop, send } from './reporters.js';
import { book, sell } from './sales.js';
import { authorised, capturedInPart, charge as chargeObject, voided } from './stripe.js';

/** @typedef {import('./company.js').Company} Company */

/** Several customers pay the same popular price within a few days, some with references and some without. */
export function popular(company) {
  const at = company.moment();
  const count = 2 + company.random.below(4);
  for (let index = 0; index < count; index += 1) {
    sell(company, {
      category: 'one price, many customers',
      ...{ amount: 1990, currency: BASE, at: at + index * HOUR },
      naming: company.random.chance(0.6) ? 'code' : 'none',
    });
  }
}

/** One customer pays the same every month, with an invoice number for each or with none. */
export function subscription(company) {
  const { random } = company;
  const customer = company.customer();
  const isOfPlan = random.chance(0.5);
  const currency = isOfPlan ? BASE : pickCurrency(random);
  const amount = isOfPlan ? random.pick([990, 1990, 4900]) : price(company, currency);
  const first = company.moment();
  const [coverage, naming] = [
    { stripe: true, books: true, shop: random.chance(0.5) },
    pickNaming(random),
  ];
  const metadata = { subscription: `sub_${random.code(12)}` };
  const end = Date.UTC(2026, 0, 1);
  for (let at = first; at < end; at += 30 * DAY + random.below(2) * DAY) {
    const reference = `INV-2025-${String(company.next('invoice')).padStart(5, '0')}`;
    sell(company, {
      ...{ category: 'subscription', amount, currency, at, coverage, naming, customer },
      ...{ reference, metadata },
    });
  }
}

/** Less is captured than was authorised. */
export function partialCapture(company) {
  const { random } = company;
  const [currency, customer, reference] = [
    pickCurrency(random),
    company.customer(),
    company.order(),
  ];
  const [whole, at] = [price(company, currency), company.moment()];
  const amount = Math.max(1, Math.floor(whole * (0.2 + 0.7 * random.next())));
  const captured = at + (1 + random.below(72)) * HOUR;
  const movement = company.move({
    ...{ category: 'partial capture', kind: 'sale', at: captured, expected: amount, currency },
  });
  const sale = { amount: whole, currency, at, customer, reference, isNamed: true };
  const charge = newCharge(company, sale);
  send(company, authorised(charge));
  const refundId = company.stripeId('re');
  for (const event of capturedInPart(charge, captured, amount, refundId)) send(company, event);
  const object = chargeObject(charge, { amount_captured: amount });
  reportCapture(company, movement, { charge, object });
  if (random.chance(0.6)) {
    const said = { type: 'sale', amount, references: [reference], customer };
    reportFromShop(company, movement, said);
  }
  const naming = pickNaming(random);
  if (currency === company.lumps) return;
  book(company, {
    movement,
    amount,
    customer,
    reference,
    charge,
    coverage: { stripe: true },
    naming,
  });
}

/** An authorisation is cancelled: nothing moved, whatever Stripe calls a refund. */
export function voidedAuthorisation(company) {
  const { random } = company;
  const [currency, customer, reference] = [
    pickCurrency(random),
    company.customer(),
    company.order(),
  ];
  const [amount, at] = [price(company, currency), company.moment()];
  const fields = { category: 'voided authorisation', kind: 'void', at, expected: 0, currency };
  company.move(fields);
  const charge = newCharge(company, { amount, currency, at, customer, reference, isNamed: true });
  send(company, authorised(charge));
  const cancelled = at + (1 + random.below(120)) * HOUR;
  for (const event of voided(charge, cancelled, company.stripeId('re'))) send(company, event);
}
