import { Big } from 'big.js';
import { bookedFirst, type Couple, isFeeOf } from './likeness.js';
import type { Report } from './report.js';
import { sumOf } from './transaction.js';

/** The couples of which the books have what is left of a sale once the fees are off that its source states by itself. */
export function netCouples(reports: readonly Report[], smaller: readonly Couple[]): Couple[] {
  const known = new Map(reports.map((report) => [report.id, report]));
  const nets = new Map<string, string | null>();
  return smaller.filter((couple) => {
    const [booked, { id }] = bookedFirst(couple);
    const sale = known.get(id);
    if (sale === undefined) return false;
    if (!nets.has(id)) nets.set(id, netOf(sale, reports));
    return booked.sums.has(nets.get(id) ?? '');
  });
}

/** Null without fees, and where one may be the fee of another sale as well. */
function netOf(sale: Report, reports: readonly Report[]): string | null {
  const fees = reports.filter((fee) => isFeeOf(fee, sale));
  const isShared = fees.some((fee) => reports.some((one) => one !== sale && isFeeOf(fee, one)));
  if (fees.length === 0 || isShared) return null;
  const left = fees.reduce(
    (sum, { amount }) => sum.minus(new Big(amount).abs()),
    new Big(sale.amount).abs(),
  );
  return left.gt(0) ? sumOf(left.toFixed(), sale.currency) : null;
}
