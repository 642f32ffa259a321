import { accountKind, roleOf } from '../../rules/hledger.js';
import { type Owed, type PaidTax, paidTaxOf } from '../../rules/paid-tax.js';
import { toCurrency } from '../take-event.js';
import type { JournalTransaction, Posting } from './transactions.js';
import { readAmounts } from './whole.js';

type Commodities = Readonly<Record<string, string>> | undefined;

/** What is without tax of the payments of a journal, by transaction and currency. */
export type PaidTaxes = (transaction: JournalTransaction, currency: string) => PaidTax | null;

/** A bill and its payments have one code and one account. */
export function readPaidTaxes(
  transactions: readonly JournalTransaction[],
  commodities: Commodities,
): PaidTaxes {
  const groups = new Map<string, Entry[]>();
  const byDay = [...transactions].sort((one, other) => compare(one.tdate, other.tdate));
  for (const [key, entry] of byDay.flatMap((one) => entriesOf(one, commodities))) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  const found = new Map<JournalTransaction, Map<string, PaidTax>>();
  for (const group of groups.values()) {
    const taxes = paidTaxOf(group.map(({ owed }) => owed));
    for (const { transaction, owed } of group) {
      const tax = taxes.get(owed);
      if (tax === undefined) continue;
      const own = found.get(transaction) ?? new Map<string, PaidTax>();
      found.set(transaction, own.set(owed.currency, tax));
    }
  }
  return (transaction, currency) => found.get(transaction)?.get(currency) ?? null;
}

interface Entry {
  readonly transaction: JournalTransaction;
  readonly owed: Owed;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** What a transaction changes of what is owed under its code, by account and currency. */
function entriesOf(transaction: JournalTransaction, commodities: Commodities): [string, Entry][] {
  const { tcode, tpostings } = transaction;
  const due = tcode === '' ? [] : tpostings.filter(isDue);
  if (due.length === 0) return [];
  const accounts = new Set(due.map(({ paccount }) => paccount));
  const names = due.flatMap(({ pamount }) => pamount.map(({ acommodity }) => acommodity));
  const currencies = new Set(names.map((name) => toCurrency(name, commodities) ?? name));
  const amounts = readAmounts(transaction, commodities);
  return [...currencies].flatMap((currency) => {
    const { basis, whole } = amounts?.(currency) ?? { basis: undefined, whole: {} };
    // Of several accounts, nobody knows which part is of which.
    const known = accounts.size === 1 ? basis : undefined;
    const owed = { basis: known, whole, currency };
    return [...accounts].map((account): [string, Entry] => [
      JSON.stringify([tcode, account, currency]),
      { transaction, owed },
    ]);
  });
}

function isDue({ paccount, ptags, pcomment, ptype }: Posting): boolean {
  const kind = accountKind(paccount, ptags, pcomment);
  return ptype === 'RegularPosting' && roleOf(paccount, kind, ptags) === 'due';
}
