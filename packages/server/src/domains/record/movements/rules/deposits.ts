import { isPayout } from './likeness.js';
import type { Report } from './report.js';

/** A transaction of the books that a payout may be booked as. */
export interface DepositReport extends Report {
  /** The ids of its reports that witness the payout. */
  readonly parts: readonly string[];
}

/**
 * Payouts with the transactions of the books that state what was left of their sales, in one sum: the reports of these
 * repeat the payout. The fee is one of them where the payout states it, because then its source reports the fees of the sales.
 */
export function depositsOf(reports: readonly Report[]): [Report, DepositReport][] {
  const transactions = byTransaction(reports, ({ deposit }) => deposit?.key);
  if (transactions.length === 0) return [];
  const payouts = reports.filter(isPayout);
  return payouts.flatMap((payout) =>
    transactions.flatMap((postings): [Report, DepositReport][] => {
      const deposit = depositFor(payout, postings);
      return deposit === null ? [] : [[payout, deposit]];
    }),
  );
}

function depositFor(payout: Report, postings: readonly Report[]): DepositReport | null {
  const sales = postings.filter(({ deposit }) => deposit?.isFee === false);
  const [first] = sales;
  if (first?.deposit == null || payout.sign !== first.sign) return null;
  const { key, settled, fee } = first.deposit;
  if (!payout.sums.has(settled)) return null;
  const isWithFee = payout.fees === fee;
  const parts = isWithFee ? postings : sales;
  const ids = parts.map(({ id }) => id).sort();
  return {
    ...first,
    ...joined(parts),
    ...{ id: `deposit ${isWithFee} ${key}`, parts: ids, sums: new Set([settled]) },
    isCrowded: sales.some(({ isCrowded }) => isCrowded),
  };
}

/** The reports of each transaction. @param keyOf what is the same for all of its reports; undefined for a report of none */
export function byTransaction(
  reports: readonly Report[],
  keyOf: (report: Report) => string | undefined,
): Report[][] {
  const byKey = new Map<string, Report[]>();
  for (const report of reports) {
    const key = keyOf(report);
    if (key === undefined) continue;
    const found = byKey.get(key);
    if (found === undefined) byKey.set(key, [report]);
    else found.push(report);
  }
  return [...byKey.values()];
}

/** What reports of one transaction name together. */
export function joined(
  parts: readonly Report[],
): Pick<Report, 'references' | 'names' | 'orders' | 'customer' | 'isDisputed'> {
  const customers = new Set(parts.flatMap(({ customer }) => customer ?? []));
  const [customer = null] = customers.size === 1 ? customers : [];
  return {
    references: new Set(parts.flatMap(({ references }) => [...references])),
    names: new Set(parts.flatMap(({ names }) => [...names])),
    orders: new Set(parts.flatMap(({ orders }) => [...orders])),
    isDisputed: parts.some(({ isDisputed }) => isDisputed),
    customer,
  };
}
