import type { CurrencyBooks, ReportedMoney } from '@decision-ledger/contract/analytics-figures';
import { minorUnits } from '@decision-ledger/contract/currency';
import { LINES, type Line } from '@decision-ledger/contract/source-profiles';
import { Big } from 'big.js';
import { apportion, type EventSum, sumAmounts, ZERO } from './books.js';
import { HALF_EVEN, printAmount } from './money.js';

/** The sum of one line in one currency: decimal text. */
export interface LineSum {
  readonly currency: string;
  readonly line: Line;
  readonly own: string;
}

/** All money that was reported, by currency: what counts, as printed, and the lines of what does not. */
export function printReported(
  books: readonly Pick<CurrencyBooks, 'currency' | 'total'>[],
  events: readonly EventSum[],
  sums: readonly LineSum[],
): ReportedMoney[] {
  const counted = new Map(books.map(({ currency, total }) => [currency, new Big(total ?? 0)]));
  const currencies = new Set([...counted.keys(), ...sums.map(({ currency }) => currency)]);
  return [...currencies].sort().map((currency) => {
    const digits = minorUnits(currency);
    const own = LINES.map((line) =>
      sumAmounts(
        sums.flatMap((sum) =>
          sum.currency === currency && sum.line === line ? [new Big(sum.own)] : [],
        ),
      ),
    );
    const whole = sumAmounts(own).round(digits, HALF_EVEN);
    const printed = apportion(own, whole, digits);
    const total = counted.get(currency) ?? ZERO;
    const gross = sumAmounts(
      events.flatMap((sum) => (sum.currency === currency ? [new Big(sum.may_include_tax)] : [])),
    );
    const of = (line: Line) => printAmount(printed[LINES.indexOf(line)] ?? ZERO, currency);
    return {
      currency,
      counted: printAmount(total, currency),
      may_include_tax: printAmount(gross.round(digits, HALF_EVEN), currency),
      tax: of('tax'),
      counted_once: of('counted_once'),
      planned: of('planned'),
      authorised: of('authorised'),
      void: of('void'),
      between_own_accounts: of('between_own_accounts'),
      unclassified: of('unclassified'),
      reported: printAmount(total.plus(whole), currency),
    };
  });
}
