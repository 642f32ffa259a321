import type { JsonValue } from '@decision-ledger/proof/gate';
import { Big } from 'big.js';
import { accountKind, isGenerated, isPaidEarly, roleOf } from '../../rules/hledger.js';
import type { PaidTax } from '../../rules/paid-tax.js';
import { type Basis, isAmongOwn, type Part, type Role, wholeOf } from '../../rules/whole.js';
import { toAmount, toCurrency } from '../take-event.js';
import {
  type Amount,
  costOf,
  isRounded,
  type JournalTransaction,
  type Posting,
} from './transactions.js';

/** Postings that an event shows of its transaction. */
const MOST = 50;

/** Members of the metadata. */
interface Stated {
  readonly basis?: Basis;
  readonly transaction?: JsonValue;
}

/** Tags of what `hledger close` prints. */
const CLOSING: ReadonlySet<string> = new Set(['retain', 'clopen']);
const OWN: Stated = { basis: 'own_accounts' };
const EARNED: Stated = { basis: 'earned' };

type Commodities = Readonly<Record<string, string>> | undefined;

interface Money {
  readonly amount: string;
  readonly currency: string;
}

interface Line extends Money {
  readonly posting: Posting;
  readonly role: Role;
  readonly cost: Money | null;
}

/**
 * The transaction of a posting as its event states it: the amounts of the whole in a currency, and all real postings,
 * with debits positive as in the books. Null if one of them cannot be read, because the sums would be wrong.
 * @param paidTax of a payment, in a currency
 */
export function readWhole(
  transaction: JournalTransaction,
  commodities: Commodities,
  paidTax: (currency: string) => PaidTax | null,
): (currency: string) => Stated {
  const known = readLines(transaction, commodities);
  if (known === null) return () => ({});
  const postings = known.slice(0, MOST).map(showLine);
  const left = known.length - postings.length;
  const found = new Map<string, Stated>();
  const isOwn =
    isAmongOwn(known.map(({ role }) => role)) ||
    transaction.ttags.some(([tag]) => CLOSING.has(tag));
  const state = (currency: string): Stated => {
    const { whole, ...stated } = amountsIn(known, currency);
    const basis = stated.basis === 'accrual' && isEarned(known) ? EARNED : stated;
    const more = left === 0 ? {} : { more_postings: left };
    return {
      ...(isOwn ? OWN : basis),
      transaction: { currency, ...whole, ...paidTax(currency), postings, ...more },
    };
  };
  return (currency: string): Stated => {
    const stated = found.get(currency) ?? state(currency);
    found.set(currency, stated);
    return stated;
  };
}

/** Whether nothing is owed from then on: what was paid before is earned, or given back as a voucher. */
const isEarned = (known: readonly Line[]): boolean =>
  known
    .filter(({ role }) => role === 'due')
    .every(({ posting: { paccount, ptags, pcomment } }) =>
      isPaidEarly(paccount, accountKind(paccount, ptags, pcomment)),
    );

/** The amounts of a whole transaction in a currency; null if one of them cannot be read. */
export function readAmounts(transaction: JournalTransaction, commodities: Commodities) {
  const known = readLines(transaction, commodities);
  return known === null ? null : (currency: string) => amountsIn(known, currency);
}

const amountsIn = (known: readonly Line[], currency: string) =>
  wholeOf(known.flatMap((line) => partOf(line, currency)));

function readLines(
  { tpostings }: JournalTransaction,
  commodities: Commodities,
): readonly Line[] | null {
  const lines = tpostings.filter(isReal).map((posting) =>
    posting.pamount.map((amount): Line | null => {
      const read = readAmount(amount, commodities);
      if (read === null) return null;
      return {
        posting,
        role: roleOfPosting(posting),
        ...read,
        cost: readCost(amount, commodities),
      };
    }),
  );
  const all = lines.flat().filter((line) => line === null || line.amount !== '0');
  const known = all.filter((line) => line !== null);
  return known.length < all.length ? null : known;
}

const isReal = ({ ptype, ptags }: Posting) => ptype === 'RegularPosting' && !isGenerated(ptags);

function readAmount(
  { acommodity, aquantity }: Pick<Amount, 'acommodity' | 'aquantity'>,
  commodities: Commodities,
): Money | null {
  if (isRounded(aquantity)) return null;
  const amount = toAmount(`${aquantity.decimalMantissa}e-${aquantity.decimalPlaces}`, 1);
  return amount === null
    ? null
    : { amount, currency: toCurrency(acommodity, commodities) ?? acommodity };
}

function readCost(amount: Amount, commodities: Commodities): Money | null {
  const cost = costOf(amount);
  const [own, price] = [
    readAmount(amount, commodities),
    cost === null ? null : readAmount(cost, commodities),
  ];
  if (cost === null || own === null || price === null) return null;
  const value = new Big(price.amount).abs();
  const total = cost.isByUnit ? value.times(new Big(own.amount).abs()) : value;
  const signed = toAmount(total.toFixed(), own.amount.startsWith('-') ? -1 : 1);
  return signed === null ? null : { amount: signed, currency: price.currency };
}

const roleOfPosting = ({ paccount, ptags, pcomment }: Posting): Role =>
  roleOf(paccount, accountKind(paccount, ptags, pcomment), ptags);

/** What a posting is worth in a currency: its amount, or its cost. */
function partOf({ role, amount, currency, cost }: Line, wanted: string): Part[] {
  if (currency === wanted) return [{ role, amount }];
  return cost?.currency === wanted ? [{ role, amount: cost.amount }] : [];
}

function showLine({ posting, amount, currency, cost }: Line) {
  const shown = { account: posting.paccount, amount, currency };
  return cost === null ? shown : { ...shown, cost: { ...cost } };
}
