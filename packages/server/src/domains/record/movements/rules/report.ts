import type { MoneyKind } from '@decision-ledger/contract/source-profiles';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { isBooks } from '@decision-ledger/proof/movement';
import type { Span } from './clock.js';
import {
  DATE,
  namesOfOthers,
  objectsOf,
  ordersOf,
  referencesOf,
  toCustomer,
  wordsIn,
} from './references.js';
import {
  type Deposit,
  depositIn,
  type PartPaid,
  partPaidIn,
  type ReportedRow,
  type Sum,
  settledSums,
  statedFees,
  statedWhole,
  sumOf,
  type Whole,
} from './transaction.js';

/** A live report as the rules compare it. */
export interface Report {
  readonly id: string;
  readonly source: string;
  /** The reference of its source; null without one. */
  readonly external_id: string | null;
  /** Decimal text, as recorded. */
  readonly amount: string;
  readonly currency: string;
  /** The amounts that other sources may state for it. */
  readonly sums: ReadonlySet<Sum>;
  /** What it is worth in the base currency, without sign; null without a rate. */
  readonly worth: number | null;
  /** Null for a report of all that its transaction took or paid. */
  readonly whole: Whole | null;
  /** Null for a report of no transaction of which a fee was kept. */
  readonly deposit: Deposit | null;
  /** Null for a report of no transaction that was paid in part. */
  readonly partPaid: PartPaid | null;
  /** Whether the books say that it had been paid before, as a voucher. */
  readonly isEarned: boolean;
  /** The fees that were kept of a payout, as it states them; null if it does not. */
  readonly fees: Sum | null;
  readonly kind: MoneyKind;
  /** Whether it is of a dispute, by its kind or by the words of the books. */
  readonly isDisputed: boolean;
  /** Whether its money stays between accounts of one's own. */
  readonly isOwn: boolean;
  /** The direction that it counts with by itself. */
  readonly sign: 1 | 0 | -1;
  /** ms, as recorded. */
  readonly timestamp: number;
  /** Between which times its money moved: ms after `timestamp`. */
  readonly span: Span;
  /** Patterns of the sources that its source repeats. */
  readonly repeats: readonly string[];
  /** As `foldReference` makes them, without those that so many reports of one sum have that they say nothing. */
  readonly references: ReadonlySet<string>;
  /** Those of them that name its transaction: few reports have them, and they are no customer and no date. */
  readonly names: ReadonlySet<string>;
  /** Those of them that it has from the payment that it is of, and does not state itself. */
  readonly inherited: ReadonlySet<string>;
  /** Those of them that a source writes as the number of an order: its own id, or a member such as `order_id`. */
  readonly orders: ReadonlySet<string>;
  /** Those of them that are the ids of a processor for the payment. */
  readonly objects: ReadonlySet<string>;
  /** The customer as the source writes it; null if it does not say. */
  readonly customer: string | null;
  /** The words of the description. */
  readonly words: ReadonlySet<string>;
  /** Whether so many others are of its sum at its time that only a reference tells them apart. */
  readonly isCrowded: boolean;
}

/** What the settings of the ledger say of a report. */
export interface Judged
  extends Pick<Report, 'kind' | 'isOwn' | 'sign' | 'worth' | 'span' | 'repeats'> {
  /** The member of the metadata that names the customer. */
  readonly customerKey: string;
  /** What references are read from: `external_id`, `description`, `metadata.order`; null for everything. */
  readonly carriers: ReadonlySet<string> | null;
}

export function reportOf(row: ReportedRow, judgement: Judged): Report {
  const { customerKey, carriers, ...judged } = judgement;
  const { event_id: id, source, timestamp, amount, currency } = row;
  const members = row.metadata ?? {};
  const own = sumOf(amount, currency);
  const stated = statedWhole(row, members);
  const references = referencesOf(row, members, carriers);
  const customer = Object.hasOwn(members, customerKey) ? toCustomer(members[customerKey]) : null;
  const notItself = new Set([customer, ...namesOfOthers(members)]);
  const names = new Set([...references].filter((one) => !notItself.has(one) && !DATE.test(one)));
  const isAll = stated === null || stated.sums.has(own);
  return {
    ...{ ...judged, id, source, timestamp, amount, currency, external_id: row.external_id },
    sums: new Set([own, ...settledSums(members), ...(isAll ? (stated?.sums ?? []) : [])]),
    whole: isAll ? null : stated,
    ...{ deposit: depositIn(row, members), partPaid: partPaidIn(row, members) },
    fees: statedFees(members),
    isEarned: isBooks(source) && members.basis === 'earned',
    ...{ references, customer, isCrowded: false, inherited: new Set() },
    ...{
      names,
      orders: ordersOf(row, members, names, carriers),
      objects: objectsOf(row, members, names),
    },
    isDisputed: DISPUTES.has(judged.kind) || isBookedDispute(row, members),
    words: new Set(wordsIn(row.description).map((word) => word.toLowerCase())),
  };
}

const DISPUTES: ReadonlySet<MoneyKind> = new Set(['dispute', 'recovery']);
const DISPUTE = /charge-?backs?|disputes?/i;
const FEE = /\bfees?\b/i;

/** Books have costs and sales only: their accounts and descriptions say what was disputed, and what a fee of it is. */
function isBookedDispute(
  { source, description }: ReportedRow,
  { account }: Readonly<Record<string, unknown>>,
): boolean {
  if (!isBooks(source)) return false;
  const says = (word: RegExp) =>
    [description, account].some((text) => typeof text === 'string' && word.test(text));
  return says(DISPUTE) && !says(FEE);
}

/** What reports are found by that may be of the same money. */
export interface MoneyKey {
  /** 64 bits as a signed integer, decimal text. Reports with one key are compared themselves, so a collision does no harm. */
  readonly key: string;
  /** What it takes to be found by it: a sum alone, or a reference. */
  readonly reference: string | null;
  /** Whether it finds reports of any amount, which tells how many have the reference. */
  readonly isName: boolean;
}

/** What a report is found by: its sums, alone and with each reference, its references, and what its transaction left. */
export function keysOf(report: Report): MoneyKey[] {
  const { sums, whole, deposit, partPaid, names } = report;
  const all = [...new Set([...sums, ...(whole?.sums ?? []), ...(partPaid?.sums ?? [])])];
  const left = deposit === null || all.includes(deposit.settled) ? [] : [deposit.settled];
  return [
    ...sumKeys('sum', all, report),
    ...sumKeys('deposit', left, report),
    ...[...names].map((reference) => ({
      ...{ reference, isName: true, key: hashOf(`name ${reference}`) },
    })),
  ];
}

/** What a posting is found by when a report comes or goes that it may be the late record of. */
const lateKeysOf = ({ source, sums }: Pick<Report, 'source' | 'sums'>): string[] =>
  isBooks(source) ? lateSearchesOf([...sums]) : [];

export const lateSearchesOf = (sums: readonly Sum[]): string[] =>
  sums.map((sum) => hashOf(`late ${sum}`));

/**
 * What a report is found by when the total changes that it may be all of: a line of a bank, or one of several postings of a
 * transaction. Other postings have a key already.
 */
export const wholeKeysOf = ({ source, sums, whole }: Pick<Report, 'source' | 'sums' | 'whole'>) =>
  [...(source.startsWith('bank/') ? sums : (whole?.sums ?? []))].map((sum) =>
    hashOf(`whole ${sum}`),
  );

/** What reports are found by that state a sum, and may be all of a period. */
export const wholeSearchesOf = (sum: Sum): string[] => [
  hashOf(`late ${sum}`),
  hashOf(`whole ${sum}`),
];

/** What a report is found by besides, when others come or go that may be of its money. */
export const recalledKeysOf = (report: Pick<Report, 'source' | 'sums' | 'whole'>): string[] => [
  ...lateKeysOf(report),
  ...wholeKeysOf(report),
];

/** The name of all reports of a source that are added up together, as 64 bits. */
export const addedKeyOf = ({ source, kind, sign, currency }: Added): string =>
  hashOf(`added ${JSON.stringify([source, kind, sign, currency])}`);

interface Added extends Pick<Report, 'source' | 'kind' | 'currency'> {
  readonly sign: number;
}

/** What all reports of some sums are found by. */
export const sumSearchesOf = (report: Report): string[] =>
  sumKeys('sum', [...report.sums], { ...report, references: new Set() }).map(({ key }) => key);

/** What a report finds others by: as they are found, and a payout what was left of transactions. */
export function searchesOf(report: Report): MoneyKey[] {
  const { sums, deposit } = report;
  const left = deposit === null || sums.has(deposit.settled) ? [] : [deposit.settled];
  const paidOut = report.isOwn ? [...sums] : [];
  return [
    ...keysOf(report),
    ...sumKeys('sum', left, report),
    ...sumKeys('deposit', paidOut, report),
  ];
}

function sumKeys(
  name: 'sum' | 'deposit',
  sums: readonly Sum[],
  { references }: Report,
): MoneyKey[] {
  return sums.flatMap((sum) =>
    [null, ...references].map((reference) => ({
      ...{ reference, isName: false, key: hashOf(`${name} ${sum} ${reference ?? ''}`) },
    })),
  );
}

const KEY_DIGITS = 16;

/** A key, by what it says. */
export function hashOf(text: string): string {
  const bits = BigInt(`0x${sha256Hex(text).slice(0, KEY_DIGITS)}`);
  return BigInt.asIntN(64, bits).toString();
}
