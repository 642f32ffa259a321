import type { Reversals } from '@decision-ledger/contract/analytics-figures';
import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import { HALF_EVEN, printAmount } from './money.js';

/** Decimal text in the base currency; positive. */
export interface ReversalSums {
  readonly total: string;
  readonly without_cause: string;
}

/** More than one part of so many makes the revenue doubtful. */
const TOLERATED = 10;

export function printReversals(currency: string, sums: ReversalSums): Reversals {
  const round = (amount: string) => new Big(amount).round(minorUnits(currency), HALF_EVEN);
  const [total, left] = [round(sums.total), round(sums.without_cause)];
  const [printed, open] = [printAmount(total, currency), printAmount(left, currency)];
  const isDoubtful = left.times(TOLERATED).gt(total);
  return {
    total: printed,
    without_cause: open,
    warning: isDoubtful
      ? `Of ${printed} ${currency} that refunds, disputes, chargebacks and fees took back, ${open} ${currency} have no cause: ` +
        'revenue is shown here without what reversed it.'
      : null,
  };
}
