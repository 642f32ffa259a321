import { isBooks } from '@decision-ledger/proof/movement';
import { isOfBill } from './bills.js';
import { isFeeOfDispute, isLargerDispute } from './disputes.js';
import { isOfPayment, mayBeOfPayment } from './inherited.js';
import {
  areOfOneOrder,
  areOfTransfer,
  isDeclared,
  isEarnedAs,
  isEqual,
  isFeeOf,
  isForeign,
  isLineOf,
  isNamed,
  isNear,
  isPayout,
  isReferred,
  isRepeated,
  isSmaller,
  isWithinReference,
  mayArrive,
  mayBePaidOut,
} from './likeness.js';
import type { Report } from './report.js';

/** Whether one may bear on what the other is the same money as: what is compared is read as far as this reaches. */
export function mayConcern(one: Report, other: Report): boolean {
  const [first, second] = [withWhole(one), withWhole(other)];
  if (isEqual(first, second)) {
    const isNearBy = isRepeated(one, other) || isDeclared(one, other) || mayArrive(one, other);
    return isNearBy || mayBePaidOut(one, other) || isReferred(one, other);
  }
  return (
    isSmaller(one, other) ||
    isForeign(one, other) ||
    areOfTransfer(one, other) ||
    isEarnedAs(first, second) ||
    isOfBill(one, other) ||
    isLargerDispute(one, other) ||
    isFeeOfDispute(one, other) ||
    isFeeOfDispute(other, one) ||
    isOfOnePartPaid(one, other) ||
    (isWithinReference(one, other) && areOfOneOrder(one, other)) ||
    isLineOf(one, other) ||
    isLineOf(other, one) ||
    isOfPayment(one, other) ||
    isOfPayment(other, one) ||
    mayBeOfPayment(one, other) ||
    mayBeOfPayment(other, one) ||
    isFeeOf(one, other) ||
    isFeeOf(other, one) ||
    isBookedFee(one, other) ||
    isBookedFee(other, one)
  );
}

const isOfOnePartPaid = (one: Report, other: Report): boolean =>
  one.partPaid !== null && one.partPaid.key === other.partPaid?.key;

/** With the sums of the transaction that it is of, what was left of it, and what was paid of it. */
function withWhole(report: Report): Report {
  const { whole, deposit, partPaid, sums } = report;
  if (whole === null && partPaid === null) return report;
  const left = whole !== null && deposit !== null ? [deposit.settled] : [];
  return {
    ...report,
    sums: new Set([...sums, ...(whole?.sums ?? []), ...left, ...(partPaid?.sums ?? [])]),
  };
}

/** Whether one is a fee and the other stands in the books under the same name, or a payout that the fee was kept of. */
function isBookedFee(fee: Report, other: Report): boolean {
  if (isPayout(other) && fee.deposit?.isFee === true) {
    return other.sums.has(fee.deposit.settled) && (isNear(fee, other) || isNamed(fee, other));
  }
  return fee.kind === 'fee' && isBooks(other.source) && isNamed(fee, other);
}
