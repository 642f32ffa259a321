import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import { isBooks, processorOf } from '@decision-ledger/proof/movement';
import { Big } from 'big.js';
import { isContrary, isTorn } from './contradictions.js';
import { areRepeated, repeatsItself } from './repeats.js';
import type { Report } from './report.js';

export type Couple = readonly [Report, Report];

const DAY = 86_400_000;
/** Reports that share a reference are of the same money within this time. */
export const REFERRED_MS = 45 * DAY;
/** Sources repeat what others report within this time, without a reference, and payouts arrive at the bank. */
export const REPEATED_MS = 4 * DAY;

/** The least time between the moments at which the money of two may have moved. */
export function apartBy(one: Report, other: Report): number {
  const between = ({ timestamp, span }: Report, next: Report) =>
    next.timestamp + next.span.earliest - timestamp - span.latest;
  return Math.max(0, between(one, other), between(other, one));
}

/** Sources state the time of one payment to within so much. */
const MOMENT_MS = 60_000;

/** Whether two state one moment. Books state days. */
export const areAtOnce = (one: Report, other: Report): boolean =>
  [one, other].every(({ source, span }) => !isBooks(source) && span.earliest === span.latest) &&
  apartBy(one, other) <= MOMENT_MS;

export const isNear = (one: Report, other: Report): boolean => apartBy(one, other) <= REPEATED_MS;
export const haveCommon = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  [...one].some((value) => other.has(value));

export const isBank = (source: string): boolean => source.startsWith('bank/');

/** Whether a report is of money between own accounts that neither the bank nor the books told. */
export const isPayout = (report: Report): boolean =>
  report.isOwn && !isBank(report.source) && !isBooks(report.source);

export const isReferred = (one: Report, other: Report): boolean =>
  apartBy(one, other) <= REFERRED_MS && haveCommon(one.references, other.references);

export const isNamed = (one: Report, other: Report): boolean =>
  apartBy(one, other) <= REFERRED_MS && haveCommon(one.names, other.names);

/** Whether books say of what another source sold, or took back, that it was paid with what had been paid before. */
export function isEarnedAs(one: Report, other: Report): boolean {
  const [booked, sold] = one.isEarned ? [one, other] : [other, one];
  if (!booked.isEarned || booked.sign !== 0) return false;
  if (!isOfOrder(sold) && !isLine(sold)) return false;
  if (hasOwnWords(sold.source)) return false;
  const direction = booked.amount.startsWith('-') ? -1 : 1;
  return direction === sold.sign && haveCommon(one.sums, other.sums) && isNamed(one, other);
}

/** Whether two have the number of an order in common. */
const haveOrder = (one: Report, other: Report): boolean =>
  [...one.names].some(
    (name) => other.names.has(name) && (one.orders.has(name) || other.orders.has(name)),
  );

/** Whether a report is of what an order cost or gave back, or a line of a bank of which nobody said what it is. */
export const isOfOrder = ({ kind, source, isOwn }: Report): boolean =>
  !isOwn && (kind === 'sale' || kind === 'refund' || (kind === 'other' && isBank(source)));

/** Whether a report is of a fee that an order cost. Books call it a cost. */
export const isFeeOfOrder = ({ kind, source, isOwn }: Report): boolean =>
  !isOwn && (kind === 'fee' || (kind === 'cost' && isBooks(source)));

/** Whether a report may be a part of what one's own system states of an order, such as a discount, or the shipping. */
export const isLine = ({ kind, source, isOwn, sign }: Report): boolean =>
  kind === 'other' && !isOwn && sign !== 0 && !hasOwnWords(source);

export const hasOwnWords = (source: string): boolean =>
  isBooks(source) || isBank(source) || processorOf(source) !== null;

/** Whether one is a line of the order that the other is the sale of, as one source states both at once. */
export const isLineOf = (line: Report, sale: Report): boolean =>
  isLine(line) &&
  sale.kind === 'sale' &&
  line.source === sale.source &&
  line.currency === sale.currency &&
  areAtOnce(line, sale) &&
  haveOrder(line, sale);

/** Whether two are of one order and customer in one direction and currency, of any amount. */
export const areOfOneOrder = (one: Report, other: Report): boolean =>
  ([one, other].every(isOfOrder) || [one, other].every(isFeeOfOrder)) &&
  one.sign !== 0 &&
  one.sign === other.sign &&
  one.currency === other.currency &&
  haveOrder(one, other) &&
  !isTorn([one, other]);

export const isWithinReference = (one: Report, other: Report): boolean =>
  apartBy(one, other) <= REFERRED_MS;

export const isRepeated = (one: Report, other: Report): boolean =>
  isUncrowded(one, other) && (isBooks(one.source) || isBooks(other.source));

/** Whether the profile of one says that it repeats the other. */
export const isDeclared = (one: Report, other: Report): boolean =>
  isUncrowded(one, other) && areRepeated(one, other);

const isUncrowded = (one: Report, other: Report): boolean =>
  !one.isCrowded && !other.isCrowded && isNear(one, other);

/** Whether two state one amount, or are worth the same, and one may repeat the other. */
export function isEqual(one: Report, other: Report): boolean {
  return isAlong(one, other) && (haveCommon(one.sums, other.sums) || isConverted(one, other));
}

/** Whether two are of one direction, and of different sources, or of one that may have reported one payment twice. */
function isAlong(one: Report, other: Report): boolean {
  if (isOwnInBooks(one, other) || isOwnInBooks(other, one)) return true;
  if (one.sign === 0 || other.sign === 0) return false;
  if (one.sign !== other.sign) return isPaidOut(one, other) || isPaidOut(other, one);
  if (one.source !== other.source || haveOneId(one, other)) return true;
  return repeatsItself(one) && (one.whole === null || one.whole.key !== other.whole?.key);
}

/** Whether a source sent one id twice, as a processor does by its webhook and in its reports. Books have it in each posting. */
const haveOneId = (one: Report, other: Report): boolean =>
  !isBooks(one.source) && one.external_id !== null && one.external_id === other.external_id;

/** Books state a transfer once, which left one account and reached another. */
const isOwnInBooks = (transfer: Report, line: Report): boolean =>
  transfer.isOwn && isBooks(transfer.source) && isBank(line.source);

/** Whether a line of the bank may be of a transfer that the books have. */
export function mayBeTransferred(one: Report, other: Report): boolean {
  const [transfer, line] = isBank(one.source) ? [other, one] : [one, other];
  if (!isOwnInBooks(transfer, line) || !isUncrowded(one, other)) return false;
  return line.isOwn || isUntold(line, transfer);
}

/**
 * Whether two lines may be of one transfer: it left an account at one bank and reached one at another, in another currency if a
 * reference names both.
 */
export function areOfTransfer(one: Report, other: Report): boolean {
  if (!isBank(one.source) || !isBank(other.source) || one.source === other.source) return false;
  if (one.sign * other.sign !== -1 || !isUncrowded(one, other)) return false;
  if (![one, other].every(({ kind }) => UNTOLD.has(kind))) return false;
  return one.currency === other.currency
    ? haveCommon(one.sums, other.sums)
    : isNamed(one, other) && isWorthAlike(one, other);
}

/** Some sources state a payout as what leaves their account, which the bank receives. */
const isPaidOut = (payout: Report, line: Report): boolean =>
  payout.sign === -1 && isPayout(payout) && isBank(line.source);

/** Rates of one day differ by so much between banks. */
export const RATE_TOLERANCE = 0.01;

/** Whether two are worth the same in different currencies, and one reference names both. */
const isConverted = (one: Report, other: Report): boolean =>
  areWorthOne(one, other) && isNamed(one, other);

/** Whether two are worth the same in different currencies, at the rates of their days. */
export function areWorthOne(one: Report, other: Report): boolean {
  if (one.worth === null || other.worth === null || one.currency === other.currency) return false;
  const most = Math.max(one.worth, other.worth) * RATE_TOLERANCE;
  return Math.abs(one.worth - other.worth) <= most;
}

/**
 * Whether two name the same order in different currencies, and may be worth the same after a fee, or at a rate that nobody
 * states.
 */
export function isForeign(one: Report, other: Report): boolean {
  if (one.currency === other.currency || one.source === other.source) return false;
  if (one.sign === 0 || one.sign !== other.sign || one.isOwn || !isOfOneKind(one, other))
    return false;
  return isNamed(one, other) && haveOrder(one, other) && isWorthAlike(one, other);
}

/** Whether two may be worth the same after a fee, or at a rate that nobody states. */
const isWorthAlike = ({ worth: one }: Report, { worth: other }: Report): boolean =>
  one === null || other === null || Math.min(one, other) >= Math.max(one, other) * LEAST_NET;

/**
 * Whether the kinds of two let them be of the same money. Money between own accounts is what the bank says of it, in
 * whatever words, and what books state that name it.
 */
export function isFitting(one: Report, other: Report): boolean {
  if (isDispute(one, other) || isDispute(other, one)) return false;
  if (one.isOwn === other.isOwn) return true;
  const [own, outer] = one.isOwn ? [one, other] : [other, one];
  if (isBank(outer.source)) return isUntold(outer, own);
  return isPayout(own) && isBooks(outer.source) && outer.deposit === null && isNamed(one, other);
}

/** Whether one is of a dispute and the other one is known to be of something else. Books may call a dispute a sale or a cost. */
const isDispute = (one: Report, other: Report): boolean =>
  one.isDisputed && !other.isDisputed && SOLD.has(other.kind) && !isUntoldInBooks(other);

const SOLD: ReadonlySet<MoneyKind> = new Set(['sale', 'refund', 'fee', 'tax']);
/** What was debited to income may be anything that was given back. */
const isUntoldInBooks = ({ source, kind, sign }: Report) =>
  isBooks(source) && kind === 'sale' && sign === -1;

/** The kinds of lines of a bank of which nobody said what they are. */
const UNTOLD: ReadonlySet<MoneyKind> = new Set(['sale', 'cost', 'other']);

/** Whether a line of a bank may be of money between own accounts: books know of which tax it is. */
const isUntold = ({ kind }: Report, own: Report): boolean =>
  UNTOLD.has(kind) || (kind === 'tax' && isBooks(own.source));

const RUNNING: ReadonlySet<MoneyKind> = new Set(['fee', 'tax', 'cost']);
const RETURNED: ReadonlySet<MoneyKind> = new Set(['refund', 'dispute', 'recovery']);

/** Whether two are of one kind as far as anybody says, so that amount and day alone may speak for them. */
export function isOfOneKind(one: Report, other: Report): boolean {
  if (one.isOwn !== other.isOwn || !isFitting(one, other)) return false;
  return areKindsAlike(one.kind, other.kind);
}

export const areKindsAlike = (one: MoneyKind, other: MoneyKind): boolean =>
  !areDistinct(one, other) && !areDistinct(other, one);

/** Books know costs and sales only: a refund may be booked as either, and a fee as a cost. */
const areDistinct = (one: MoneyKind, other: MoneyKind): boolean =>
  RUNNING.has(one) && (other === 'sale' || (one !== 'cost' && RETURNED.has(other)));

/** Whether a line of the bank may be the arrival of a payout. */
export function mayArrive(one: Report, other: Report): boolean {
  const [payout, line] = isPayout(one) ? [one, other] : [other, one];
  return isPayout(payout) && isBank(line.source) && isUncrowded(one, other) && canBePaid(line);
}

const canBePaid = (line: Report): boolean => line.isOwn || UNTOLD.has(line.kind);

/** Whether a line of the bank names the source of a sale and may be what it paid out of that alone, of which it said nothing. */
export function mayBePaidOut(one: Report, other: Report): boolean {
  const [line, sale] = isBank(one.source) ? [one, other] : [other, one];
  if (!isBank(line.source) || isBank(sale.source) || isBooks(sale.source)) return false;
  if (line.isOwn || sale.isOwn || sale.kind !== 'sale' || !UNTOLD.has(line.kind)) return false;
  return isUncrowded(one, other) && namesSource(line, sale);
}

/** Whether the bank says that its line is a payout, or from whom it is. */
export function isToldArrival(one: Report, other: Report): boolean {
  const [payout, line] = isPayout(one) ? [one, other] : [other, one];
  return line.isOwn || namesSource(line, payout);
}

/** Banks write the name of who paid in one word with what follows: `SQUAREUP`, `PAYPAL*PAYOUT`. */
function namesSource({ words }: Report, { source }: Report): boolean {
  const name = processorOf(source);
  if (name === null) return words.has(source.toLowerCase());
  return [...words].some((word) => word.startsWith(name));
}

/** Whether a reference names both, and the books have less. */
export function isSmaller(one: Report, other: Report): boolean {
  const [booked, outer] = bookedFirst([one, other]);
  if (!isBooks(booked.source) || isBooks(outer.source) || !isAlong(one, other)) return false;
  if (one.isOwn || other.isOwn || one.currency !== other.currency) return false;
  if (booked.partPaid !== null) return false;
  return booked.whole === null && isBelow(booked, outer, 1) && isNamed(one, other);
}

/** Books may state so much less, after a fee that nobody states. */
const LEAST_NET = 0.85;

export const isABitLess = (couple: Couple): boolean =>
  isOfOneKind(...couple) && !isContrary(...couple) && !isBelow(...bookedFirst(couple), LEAST_NET);

/** With the report of the books first, if one is of them. */
export const bookedFirst = ([one, other]: Couple): Couple =>
  isBooks(one.source) ? [one, other] : [other, one];

/** Whether the amount of one is less than a share of that of another. */
const isBelow = (part: Report, all: Report, share: number): boolean =>
  new Big(part.amount).abs().lt(new Big(all.amount).abs().times(share));

/** Whether one is a fee that its source states of the other. */
export function isFeeOf(fee: Report, sale: Report): boolean {
  return (
    fee.source === sale.source &&
    fee.kind === 'fee' &&
    sale.kind !== 'fee' &&
    fee.currency === sale.currency &&
    fee.sign * sale.sign === -1 &&
    isNamed(fee, sale)
  );
}
