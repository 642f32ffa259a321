import { canonicalJson } from './canonical.js';
import { sha256Hex } from './hash.js';
import type { JsonValue } from './json.js';

/** A report of money, as far as it decides which one of a movement leads. */
export interface WitnessReport {
  readonly id: string;
  readonly source: string;
  /** The reference of its source; null without one. */
  readonly external_id: string | null;
  /** ms. */
  readonly timestamp: number;
}

/** What the names of the sources begin with that an accounting connection makes. */
const BOOKS = 'accounting/';
/** Processors of payments, as the names of their sources begin: `paypal`, `adyen/eu`. */
const PROCESSOR =
  /^(?:adyen|braintree|gocardless|klarna|mollie|paypal|razorpay|square|stripe|sumup|worldline|worldpay)(?![A-Za-z0-9])/;

/**
 * Whether a source is an accounting connection: books repeat what others report.
 *
 * @example
 * ```ts
 * import { isBooks } from '@decision-ledger/proof/movement';
 *
 * isBooks('accounting/main'); // => true
 * isBooks('billing'); // => false
 * ```
 */
export function isBooks(source: string): boolean {
  return source.startsWith(BOOKS);
}

/**
 * The processor of payments that a source is of; null for any other source.
 *
 * @example
 * ```ts
 * import { processorOf } from '@decision-ledger/proof/movement';
 *
 * processorOf('adyen/eu'); // => 'adyen'
 * processorOf('squarespace'); // => null
 * ```
 */
export function processorOf(source: string): string | null {
  return PROCESSOR.exec(source)?.[0] ?? null;
}

/** A processor saw the money itself, the caller's systems ordered it, and books repeat both. */
function rankOf(source: string): number {
  if (processorOf(source) !== null) return 0;
  return isBooks(source) ? 2 : 1;
}

/**
 * The report that leads a movement: amount, currency and time of the movement are its own. It follows from the reports, in
 * whatever order they arrived.
 *
 * @throws TypeError for no report
 * @example
 * ```ts
 * import { leadOf } from '@decision-ledger/proof/movement';
 *
 * const booked = { id: 'evt_1', source: 'accounting/main', external_id: null, timestamp: 0 };
 * const charged = { id: 'evt_2', source: 'stripe', external_id: 'ch_1', timestamp: 5 };
 * leadOf([booked, charged]).id; // => 'evt_2'
 * ```
 */
export function leadOf<Report extends WitnessReport>(reports: readonly Report[]): Report {
  const [first, ...others] = reports;
  if (first === undefined) throw new TypeError('A movement has at least one report.');
  return others.reduce((lead, report) => (precedes(report, lead) ? report : lead), first);
}

function precedes(one: WitnessReport, other: WitnessReport): boolean {
  const ranks = rankOf(one.source) - rankOf(other.source);
  if (ranks !== 0) return ranks < 0;
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp;
  if (one.source !== other.source) return one.source < other.source;
  const [own, others] = [one.external_id ?? '', other.external_id ?? ''];
  return own === others ? one.id < other.id : own < others;
}

/** The transaction of a report of the books as the report states it: decimal texts, as money to the organisation. */
export interface StatedTransaction {
  /** The same for all reports of the transaction. */
  readonly key: string;
  readonly currency: string;
  readonly total: string;
  readonly untaxed: string;
  /** Whether its report is one posting of it, and not the whole. */
  readonly isPosting: boolean;
}

/** A report with the amount that it states: a decimal text. */
export interface StatedReport extends WitnessReport {
  readonly amount: string;
  readonly currency: string;
  /** Null if it states no transaction with a total and what is left of it without tax. */
  readonly transaction: StatedTransaction | null;
}

const DECIMAL = /^-?\d{1,40}(?:\.\d{1,40})?$/;
const DIGITS = 40;

/**
 * What the metadata of a report state of the whole transaction that it is of; null if they do not state both a total and
 * what is left of it without tax.
 *
 * @example
 * ```ts
 * import { transactionIn } from '@decision-ledger/proof/movement';
 *
 * const report = { id: 'evt_1', source: 'accounting/main', external_id: null, timestamp: 0 };
 * const transaction = { currency: 'EUR', total: '119', untaxed: '100' };
 * transactionIn(report, { transaction })?.untaxed; // => '100'
 * transactionIn(report, { account: 'income', transaction })?.isPosting; // => true
 * transactionIn(report, {}); // => null
 * ```
 */
export function transactionIn(
  { source, external_id, timestamp }: WitnessReport,
  metadata: JsonValue,
): StatedTransaction | null {
  const { transaction, account, basis } = membersOf(metadata);
  if (transaction === undefined) return null;
  const { currency, total, untaxed } = membersOf(transaction);
  if (typeof currency !== 'string' || !isDecimal(total) || !isDecimal(untaxed)) return null;
  const key = sha256Hex(canonicalJson([source, external_id, timestamp, transaction]));
  // The payment of a bill is posted with its tax.
  const isPosting = account !== undefined && basis !== 'settlement';
  return { key, currency, total, untaxed, isPosting };
}

/**
 * The members of an object; none of any other value.
 *
 * @example
 * ```ts
 * import { membersOf } from '@decision-ledger/proof/movement';
 *
 * membersOf(['P-1']); // => {}
 * ```
 */
export function membersOf(value: JsonValue): Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

const isDecimal = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && DECIMAL.test(value);

/**
 * The amount of a movement without tax, as the first of its reports states it whose transaction is the money of the movement
 * to the last digit: its total is the amount of the report that leads, in the same currency, and its reports here are the
 * whole, or all of its postings without tax. Null if none is. A posting of tax that has a report of its own is never taken
 * off twice: without it, the others are not the whole.
 *
 * @param lead the report that leads the movement
 * @param reports those that state a transaction; the one that leads may be among them
 * @returns decimal text without sign
 * @example
 * ```ts
 * import { transactionIn, untaxedAmount } from '@decision-ledger/proof/movement';
 *
 * const charged = { amount: '119.00', currency: 'EUR' };
 * const booked = { id: 'evt_1', source: 'accounting/main', external_id: null, timestamp: 0 };
 * const transaction = { currency: 'EUR', total: '119', untaxed: '100' };
 * const stated = transactionIn(booked, { account: 'income', transaction });
 * const report = { ...booked, amount: '100', currency: 'EUR', transaction: stated };
 * untaxedAmount(charged, [report]); // => '100'
 * untaxedAmount({ ...charged, amount: '118.00' }, [report]); // => null
 * ```
 */
export function untaxedAmount(
  lead: Pick<StatedReport, 'amount' | 'currency'>,
  reports: readonly StatedReport[],
): string | null {
  const stating = reports.filter(({ transaction }) => transaction !== null);
  const groups = new Map<string, StatedReport[]>();
  for (const report of stating.sort((one, other) => (precedes(one, other) ? -1 : 1))) {
    const key = report.transaction?.key ?? '';
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [report]);
    else group.push(report);
  }
  for (const group of groups.values()) {
    const stated = group[0]?.transaction;
    if (stated == null || !isWholeOf(stated, lead, group)) continue;
    return stated.untaxed.replace('-', '');
  }
  return null;
}

/** Whether a transaction is all the money of a report, and some of its reports are all of it. */
function isWholeOf(
  { currency, total, untaxed, isPosting }: StatedTransaction,
  lead: Pick<StatedReport, 'amount' | 'currency'>,
  group: readonly StatedReport[],
): boolean {
  if ([lead, ...group].some((one) => one.currency !== currency || !isDecimal(one.amount)))
    return false;
  const [all, part] = [unitsOf(total), unitsOf(untaxed)];
  const isPart = part < 0n ? all <= part : part > 0n && all >= part;
  const sum = group.reduce((units, { amount }) => units + unitsOf(amount), 0n);
  return isPart && sum === (isPosting ? part : all) && size(unitsOf(lead.amount)) === size(all);
}

const size = (units: bigint): bigint => (units < 0n ? -units : units);

/** In the smallest units that a decimal here can have. */
function unitsOf(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(`${whole}${fraction.padEnd(DIGITS, '0')}`);
}
