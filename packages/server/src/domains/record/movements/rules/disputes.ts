import { isBooks } from '@decision-ledger/proof/movement';
import { Big } from 'big.js';
import { type Couple, isBank, isNamed, isNear } from './likeness.js';
import type { Report } from './report.js';

/** The couples of which the bank or the books have what was disputed and one fee that its source states beside it. */
export function withDisputeFees(reports: readonly Report[], larger: readonly Couple[]): Couple[] {
  return larger.filter((couple) => {
    const [told, dispute] = toldFirst(couple);
    const rest = new Big(told.amount).minus(dispute.amount);
    const fees = reports.filter((fee) => isFeeOfDispute(fee, dispute));
    return fees.filter(({ amount }) => rest.eq(amount)).length === 1;
  });
}

/** Whether a reference names both, and the bank or the books have more of what was disputed: with its fee. */
export function isLargerDispute(one: Report, other: Report): boolean {
  const [told, dispute] = toldFirst([one, other]);
  if (!isTelling(told) || isTelling(dispute) || dispute.kind !== 'dispute') return false;
  if (told.sign !== -1 || dispute.sign !== -1 || told.currency !== dispute.currency) return false;
  if (told.isOwn || told.whole !== null || told.partPaid !== null) return false;
  return new Big(told.amount).lt(dispute.amount) && isNamed(one, other);
}

export const isFeeOfDispute = (fee: Report, dispute: Report): boolean =>
  fee.kind === 'fee' &&
  dispute.kind === 'dispute' &&
  fee.source === dispute.source &&
  fee.currency === dispute.currency &&
  fee.sign === -1 &&
  isNear(fee, dispute) &&
  isNamed(fee, dispute);

/** Whether two are of a dispute, as far as the bank or the books say, of which they have at most twice as much. */
export function isWithSomeFee(couple: Couple): boolean {
  const [told, dispute] = toldFirst(couple);
  return told.isDisputed && new Big(told.amount).gte(new Big(dispute.amount).times(2));
}

const isTelling = ({ source }: Report): boolean => isBooks(source) || isBank(source);

const toldFirst = ([one, other]: Couple): Couple => (isTelling(one) ? [one, other] : [other, one]);
