import { createAccount } from './balance.js';
import { momentOf, YEAR_DAYS } from './calendar.js';
import { createRates } from './currencies.js';

/**
 * @typedef {'shop' | 'stripe' | 'books' | 'bank'} Source
 *
 * One source's word on money.
 * @typedef {object} Report
 * @property {string} key what finds its financial event: see `keyOf` in observe.js
 * @property {Source} source
 * @property {string} movement
 * @property {number} at
 * @property {number} amount in minor units, as this source says it
 * @property {string} currency
 * @property {readonly string[]} references as printed first, whatever the spelling in the report
 * @property {string} [customer]
 * @property {boolean} [isPlanned] an invoice that payments settle, or a sum of what others report one by one
 * @property {boolean} [isAskable] planned, and only somebody careful can tell
 *
 * Money that changed hands once.
 * @typedef {object} Movement
 * @property {string} id
 * @property {string} category
 * @property {string} kind
 * @property {string} unit movements of one unit count what the unit expects: an invoice and its payments
 * @property {number} at
 * @property {number} expected what counts, in minor units
 * @property {string} currency
 * @property {number} [apart] what counts, if somebody is still asked whether its reports are of it
 * @property {boolean} isDoubtful whether somebody careful would ask, too, with a shared reference
 * @property {Report[]} reports
 * @property {{ id: string, gross: number, fees: number, net: number }} [payout] what a payout at Stripe consists of
 *
 * A transaction of the journal, in its versions.
 * @typedef {object} Entry
 * @property {string} voucher
 * @property {number} appears
 * @property {number} [ends] when the bookkeeper deletes it
 * @property {{ from: number, text: EntryText }[]} versions
 *
 * @typedef {{ day: string, code?: string, description: string, tags: Record<string, string>,
 *   postings: { account: string, amount: number, currency: string }[], contra: string }} EntryText
 *
 * @typedef {{ id: string, name: string, stripe: string, plan: string,
 *   noise: Record<string, string> }} Customer noise: what every report of the customer repeats
 * @typedef {ReturnType<typeof createCompany>} Company
 */

const NAMES = ['Miller', 'Osei', 'Tanaka', 'Novak', 'Silva', 'Larsen', 'Weber', 'Rossi', 'Khan'];
const PLANS = ['basic', 'plus', 'team', 'pro'];

/**
 * The company, to which stories add what happened and who reported it.
 * @param {import('../random.js').Random} random
 * @param {{ customers: number, lumps: string | null }} options lumps: the currency of which the books have payouts alone
 */
export function createCompany(random, { customers: count, lumps }) {
  /** @type {Movement[]} */
  const movements = [];
  /** @type {Entry[]} */
  const entries = [];
  /** @type {{ key: string, arrives: number, body: object, isRepeated: boolean }[]} */
  const posts = [];
  /** @type {{ arrives: number, event: ReturnType<typeof import('./stripe.js').charged> }[]} */
  const webhooks = [];
  const numbers = new Map();
  const next = (/** @type {string} */ name, first = 1) => {
    const number = numbers.get(name) ?? first;
    numbers.set(name, number + 1);
    return number;
  };
  const customers = createCustomers(random, count);
  return {
    ...{ random, lumps, movements, entries, posts, webhooks, next },
    ...{ account: createAccount(), rates: createRates(random) },
    customer: () => random.pick(customers),
    /** @param {string} prefix */
    stripeId: (prefix) => `${prefix}_3${random.code(22)}`,
    /** Some orders come from a shop system that numbers them without letters. */
    order: () =>
      random.chance(0.25) ? `${next('number', 700_101)}` : `A-${next('order', 100_101)}`,
    voucher: () => `BK-2025-${String(next('voucher')).padStart(5, '0')}`,
    moment: () => momentOf(random, random.below(YEAR_DAYS)),
    /** @param {Omit<Movement, 'id' | 'unit' | 'isDoubtful' | 'reports'> & Partial<Movement>} fields */
    move(fields) {
      const id = `m${movements.length}`;
      const movement = { id, unit: id, isDoubtful: false, reports: [], ...fields };
      movements.push(movement);
      return movement;
    },
  };
}

/** Few customers for many orders: most of what a report says of them is said of other reports, too. */
function createCustomers(random, count) {
  return Array.from({ length: count }, (_, index) => ({
    id: `C-${1001 + index}`,
    // One purchase order for all that a company buys in the year.
    noise: random.chance(0.15) ? { purchase_order: `PO-${7001 + index}` } : {},
    name: `${random.pick(NAMES)} ${random.pick(['Ltd', 'GmbH', 'KK', 'AB', 'Inc'])}`,
    stripe: `cus_${random.code(14)}`,
    plan: random.pick(PLANS),
  }));
}
