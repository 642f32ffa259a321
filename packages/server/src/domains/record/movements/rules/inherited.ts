import { haveCommon, isNamed } from './likeness.js';
import type { Report } from './report.js';

/**
 * Reports with what the payment that they are of says of its order and its customer: what a processor gave back, kept or lost
 * names the payment alone.
 */
export function withPayments(reports: readonly Report[]): Report[] {
  const payments = reports.filter(({ kind, objects }) => kind === 'sale' && objects.size > 0);
  return reports.map((report) => {
    const [payment, ...more] = payments.filter((one) => isOfPayment(report, one));
    if (payment === undefined || more.length > 0) return report;
    return {
      ...report,
      references: new Set([...report.references, ...payment.names]),
      names: new Set([...report.names, ...payment.names]),
      inherited: new Set([...payment.names].filter((name) => !report.names.has(name))),
      orders: new Set([...report.orders, ...payment.orders]),
      customer: report.customer ?? payment.customer,
    };
  });
}

/** Whether one is what a processor says of the payment that the other is. */
export const isOfPayment = (one: Report, payment: Report): boolean =>
  payment.kind === 'sale' &&
  one.kind !== 'sale' &&
  one.source === payment.source &&
  haveCommon(one.objects, payment.objects) &&
  isNamed(one, payment);

/** Whether another source may state what was given back, kept or lost of a payment, and names it by its order. */
export const mayBeOfPayment = (one: Report, payment: Report): boolean =>
  one.source !== payment.source &&
  payment.kind === 'sale' &&
  payment.objects.size > 0 &&
  (one.sign !== payment.sign || one.isDisputed) &&
  isNamed(one, payment);
