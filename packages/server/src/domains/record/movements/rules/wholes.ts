import { Big } from 'big.js';
import { byTransaction, joined } from './deposits.js';
import type { Report } from './report.js';
import { sumOf } from './transaction.js';

/** Transactions of the books as one report each, with the ids of the reports that add up to it. */
export function wholesOf(reports: readonly Report[]): Map<Report, readonly string[]> {
  const paid = paidPartsOf(reports);
  const keys = new Set([...paid.keys()].map(({ partPaid }) => partPaid?.key));
  const incomes = incomesOf(reports, keys);
  return new Map([...incomes, ...paid]);
}

/** Transactions that were paid in part, as what was paid: their income, and what takes the rest off. */
function paidPartsOf(reports: readonly Report[]): Map<Report, readonly string[]> {
  const wholes = new Map<Report, readonly string[]>();
  for (const members of byTransaction(reports, ({ partPaid }) => partPaid?.key)) {
    const first = members.find(({ partPaid }) => partPaid?.isRest === false);
    if (first?.partPaid == null) continue;
    const { key, sums, untaxed } = first.partPaid;
    const rests = members.filter(({ partPaid }) => partPaid?.isRest);
    const total = members.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
    if (rests.length !== 1 || !total.eq(untaxed)) continue;
    const isCrowded = members.some((one) => one.isCrowded);
    // Of a bill less a discount, the payment says the direction.
    const sign = first.sign === 0 ? 0 : total.lt(0) ? -1 : 1;
    const alone = { amount: untaxed, sums, sign, whole: null, deposit: null, worth: null } as const;
    wholes.set(
      { ...first, ...joined(members), ...alone, id: `part paid ${key}`, isCrowded },
      members.map(({ id }) => id),
    );
  }
  return wholes;
}

/** Reports, without what was paid of their transaction where several of them are that together. */
export function withoutPaidParts(
  reports: readonly Report[],
  wholes: ReadonlyMap<Report, readonly string[]>,
): readonly Report[] {
  const paid = new Set([...wholes].flatMap(([{ partPaid }, ids]) => (partPaid ? ids : [])));
  if (paid.size === 0) return reports;
  return reports.map((report) => {
    if (!paid.has(report.id) || report.partPaid === null) return report;
    const { partPaid, amount, currency } = report;
    const sums = [...report.sums].filter(
      (sum) => sum === sumOf(amount, currency) || !partPaid.sums.has(sum),
    );
    return { ...report, sums: new Set(sums) };
  });
}

/** Several incomes or costs of one transaction. @param paid keys of the transactions that are compared as what was paid, too */
function incomesOf(
  reports: readonly Report[],
  paid: ReadonlySet<string | undefined>,
): Map<Report, readonly string[]> {
  const wholes = new Map<Report, readonly string[]>();
  for (const all of byTransaction(reports, ({ whole }) => whole?.key)) {
    const along = all.filter(({ whole }) => whole?.isLess === false);
    const [first] = along;
    if (first?.whole == null) continue;
    const { whole, currency } = first;
    const totalOf = (some: readonly Report[]) =>
      some.reduce((sum, { amount }) => sum.plus(amount), new Big(0));
    const isAll = (some: readonly Report[]) =>
      sumOf(totalOf(some).toFixed(), currency) === whole.untaxed;
    const members = isAll(along) ? along : all;
    if (!isAll(members)) continue;
    const total = totalOf(members);
    const isCrowded = members.some((one) => one.isCrowded);
    const id = `whole ${whole.key}`;
    const known = new Set([...whole.sums].filter((sum) => !isPaid(first, sum, paid)));
    const alone = { amount: total.toFixed(), sums: known, whole: null, worth: null };
    wholes.set(
      { ...first, ...joined(members), ...alone, id, isCrowded, partPaid: null },
      members.map((one) => one.id),
    );
  }
  return wholes;
}

const isPaid = ({ partPaid, whole }: Report, sum: string, paid: ReadonlySet<string | undefined>) =>
  paid.has(partPaid?.key) && partPaid?.sums.has(sum) === true && sum !== whole?.untaxed;
