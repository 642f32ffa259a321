import { settlementOf } from './balance.js';
import { DAY, dayOf, minutes } from './calendar.js';
import { decimal } from './currencies.js';
import { spell } from './references.js';
import { charged, charge as chargeObject } from './stripe.js';

/** What each source says of a movement. */

/**
 * The shop's own code.
 * @param {import('./company.js').Company} company
 * @param {import('./company.js').Movement} movement
 * @param {{ type: string, amount: number, references: readonly string[], customer?: import('./company.js').Customer,
 *   metadata?: object, at?: number, isPlanned?: boolean, isAskable?: boolean }} said references: the first one is the
 *   external id
 */
export function reportFromShop(company, movement, said) {
  const { random } = company;
  const { type, amount, references, customer, at = movement.at, isPlanned, isAskable } = said;
  const key = `shop-${company.next('shop report')}`;
  const [first, ...more] = references;
  const named = Object.fromEntries(more.map((one) => [nameOf(one), spell(random, one)]));
  const noise = {
    order_of_day: 1 + random.below(60),
    channel: random.pick(['web', 'app', 'desk']),
  };
  const body = {
    ...{ source: 'shop', event_type: type, currency: movement.currency },
    amount: decimal(amount, movement.currency),
    ...(first !== undefined && { external_id: spell(random, first) }),
    timestamp: new Date(at).toISOString(),
    metadata: {
      ...noise,
      ...(customer !== undefined && {
        customer_id: customer.id,
        plan: customer.plan,
        ...customer.noise,
      }),
      ...named,
      ...said.metadata,
    },
  };
  const late = random.chance(0.03) ? (10 + random.below(40)) * DAY : 0;
  const isRepeated = random.chance(0.05);
  company.posts.push({ key, arrives: at + minutes(random, 5) + late, body, isRepeated });
  movement.reports.push({
    ...{ key, source: 'shop', movement: movement.id, at, amount, references },
    ...{ currency: movement.currency, customer: customer?.id, isPlanned, isAskable },
  });
}

/**
 * A line of the bank, as an importer sends it.
 * @param {import('./company.js').Company} company
 * @param {import('./company.js').Movement} movement
 * @param {{ type: string, amount: number, references: readonly string[], text: string, at: number }} line
 */
export function reportFromBank(company, movement, { type, amount, references, text, at }) {
  const { currency, id } = movement;
  const number = String(company.next('bank line')).padStart(6, '0');
  const key = `bank-${number}`;
  const day = Date.parse(dayOf(at));
  const body = {
    ...{ source: 'bank/main', event_type: type, currency, amount: decimal(amount, currency) },
    ...{ external_id: `BNK${number}`, timestamp: new Date(day).toISOString(), description: text },
  };
  company.posts.push({ key, arrives: at, body, isRepeated: company.random.chance(0.05) });
  movement.reports.push({
    ...{ key, source: 'bank', movement: id, at: day, amount, currency, references },
  });
}

/** @param {string} reference */
function nameOf(reference) {
  if (reference.startsWith('pi_')) return 'payment_intent';
  if (reference.startsWith('re_')) return 'stripe_refund';
  if (reference.startsWith('INV')) return 'invoice';
  if (reference.startsWith('BILL')) return 'bill';
  return 'order_id';
}

/**
 * A webhook event. Some come twice, and a few never: the endpoint was down for longer than Stripe tries.
 * @param {import('./company.js').Company} company
 */
export function send(company, event) {
  const { random, webhooks } = company;
  const at = event.created * 1000;
  if (random.chance(0.005)) return;
  webhooks.push({ arrives: at + minutes(random, 10), event });
  if (random.chance(0.05)) webhooks.push({ arrives: at + minutes(random, 600), event });
}

/**
 * @param {import('./company.js').Movement} movement
 * @param {{ object: string, type: string, amount: number, references: readonly string[], at?: number,
 *   customer?: string }} said
 */
export function reportFromStripe(movement, said) {
  const { object, type, amount, references, at, customer } = said;
  const time = Math.floor((at ?? movement.at) / 1000) * 1000;
  movement.reports.push({
    ...{ key: `stripe ${object} ${type}`, source: 'stripe', movement: movement.id, at: time },
    ...{ amount, references, currency: movement.currency, customer },
  });
}

/**
 * Stripe's fee of a balance transaction: money of its own, which only Stripe's balance tells.
 * @param {import('./company.js').Company} company
 * @param {import('./balance.js').Transaction} transaction
 * @param {{ at: number, currency: string, references: readonly string[], customer?: string, category?: string }} about
 */
export function reportFee(company, { id, fee }, { category = 'fee of Stripe', ...about }) {
  const { at, currency, references, customer } = about;
  const movement = company.move({ category, kind: 'fee', at, expected: -fee, currency });
  const said = { object: id, type: 'fee', amount: -fee, references, customer };
  reportFromStripe(movement, said);
  return movement;
}

/**
 * The fields of a new charge, with the references that the shop gave it.
 * @param {import('./company.js').Company} company
 * @param {{ amount: number, currency: string, at: number, customer: import('./company.js').Customer,
 *   reference: string, isNamed: boolean, isConverted?: boolean }} sale isNamed: whether the charge names the order;
 *   isConverted: into the base currency
 */
export function newCharge(company, sale) {
  const { random } = company;
  const { amount, currency, at, customer, reference, isNamed, isConverted } = sale;
  const inText = isNamed && random.chance(0.1);
  const name = reference.startsWith('INV') ? 'invoice' : 'order_id';
  const noise = { customer_id: customer.id, plan: customer.plan, ...customer.noise };
  const metadata = isNamed && !inText ? { ...noise, [name]: spell(random, reference) } : noise;
  const description = inText ? `Payment for ${spell(random, reference)}` : null;
  const [id, intent] = [company.stripeId('ch'), company.stripeId('pi')];
  const references = [...(isNamed ? [reference] : []), intent, id];
  const fields = { id, intent, amount, currency, at, customer: customer.stripe, isConverted };
  return { ...fields, description, metadata, references, buyer: customer.id };
}

/**
 * A charge that is captured at once.
 * @returns {import('./company.js').Movement} the fee of it
 */
export function reportCharge(company, movement, charge) {
  send(company, charged(charge));
  return reportCapture(company, movement, { charge, object: chargeObject(charge) });
}

/** What was captured of a charge, and what Stripe keeps of it. @param {import('./company.js').Company} company */
export function reportCapture(company, movement, { charge, object }) {
  const [{ at }, amount] = [movement, object.amount_captured];
  const { references, buyer: customer, isConverted = false } = charge;
  reportFromStripe(movement, { object: charge.id, type: 'charge', amount, references, customer });
  const settled = settlementOf(company, { amount, currency: charge.currency, at, isConverted });
  const id = `txn_${charge.id.slice(3)}`;
  const transaction = company.account.book({ ...settled, id, at, type: 'charge', source: object });
  return reportFee(company, transaction, { at, currency: settled.currency, references, customer });
}

/**
 * @typedef {'code' | 'text' | 'tag' | 'none'} Naming how the books name what they post
 * @typedef {{ amount: number, currency?: string, account: string, references: readonly string[], naming: Naming,
 *   text: string, customer?: import('./company.js').Customer, at?: number, contra?: string, isCash?: boolean,
 *   isPlanned?: boolean, isAskable?: boolean, with?: import('./company.js').EntryText['postings'], delay?: number }} Posted
 *   amount: + is income; with: further postings
 */

/**
 * The bookkeeper posts it to an account of revenue or expenses.
 * @param {import('./company.js').Company} company
 * @param {import('./company.js').Movement} movement
 * @param {Posted} posted
 */
export function reportFromBooks(company, movement, posted) {
  const { amount, account, naming, isPlanned, isAskable } = posted;
  const currency = posted.currency ?? movement.currency;
  const voucher = company.voucher();
  const at = Date.parse(
    dayOf((posted.at ?? movement.at) + (posted.delay ?? bookDelay(company.random))),
  );
  const postings = [{ account, amount: -amount, currency }, ...(posted.with ?? [])];
  const text = { ...textOf(company, posted, voucher), day: dayOf(at), postings };
  const late = company.random.chance(0.04) ? (20 + company.random.below(30)) * DAY : 0;
  const entry = {
    ...{ voucher, appears: at + late },
    versions: [{ from: at + late, text: { ...text, contra: posted.contra ?? 'assets:stripe' } }],
  };
  company.entries.push(entry);
  const references = naming === 'none' ? [] : posted.references.slice(0, 1);
  movement.reports.push({
    ...{ key: `books ${voucher} ${account}`, source: 'books', movement: movement.id, at, amount },
    ...{ currency, references, customer: text.tags.customer_id },
    ...{ isPlanned, isAskable },
  });
  return entry;
}

/** Most is posted on its day, and some weeks later. */
function bookDelay(random) {
  if (random.chance(0.03)) return (10 + random.below(25)) * DAY;
  return random.chance(0.7) ? 0 : (1 + random.below(3)) * DAY;
}

function textOf({ random }, { references: [reference], naming, text, customer, isCash }, voucher) {
  const spelled = reference === undefined ? '' : spell(random, reference);
  const name = customer === undefined || random.chance(0.4) ? '' : ` ${customer.name}`;
  const tags = {
    voucher,
    ...(customer !== undefined &&
      random.chance(0.2) && { customer_id: customer.id, ...customer.noise }),
    ...(random.chance(0.2) && { number: String(1 + random.below(60)) }),
    ...(isCash === true && { paid: 'cash' }),
    ...(naming === 'tag' && { reference: spelled }),
  };
  return {
    ...(naming === 'code' && { code: spelled }),
    description: naming === 'text' ? `${text} ${spelled}${name}` : `${text}${name}`,
    tags,
  };
}

/** @param {import('../random.js').Random} random @returns {Naming} */
export function pickNaming(random) {
  if (random.chance(0.2)) return 'none';
  return random.pick(['code', 'code', 'code', 'code', 'text', 'tag']);
}
