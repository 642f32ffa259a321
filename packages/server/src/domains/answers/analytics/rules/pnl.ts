import type { Pnl } from '@decision-ledger/contract/analytics';
import type { Books } from '@decision-ledger/contract/analytics-figures';
import { minorUnits } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';
import { cellsOf, type EventSum, type LinkedSum, netOf } from './books.js';
import { type GroupSum, printGroups } from './groups.js';
import { printLikelyNet, type Unnamed } from './likely-net.js';
import { HALF_EVEN, printAmount } from './money.js';
import { type Closing, printPeriods } from './periods.js';
import { printBooks } from './print-books.js';
import { type LineSum, printReported } from './reported.js';
import { printReversals, type ReversalSums } from './reversals.js';

/** Sums of one ledger. */
export interface PnlSums {
  readonly linked: readonly LinkedSum[];
  readonly byAgent: readonly GroupSum[];
  readonly byActionType: readonly GroupSum[];
  /** Null if they are not asked for. */
  readonly byCustomer: readonly GroupSum[] | null;
  /** Null if the filter excludes the parts of events without a link. */
  readonly events: readonly EventSum[] | null;
  readonly uncertainty: Uncertainty;
  /** Null if the filter excludes the parts of events without a link. */
  readonly unnamed: Unnamed | null;
  /** Of the whole range, whatever the filter. */
  readonly reversals: ReversalSums;
  readonly closings: readonly Closing[];
  readonly uncounted: readonly LineSum[];
}

/** The profit and loss without what is read from decisions, and without its time. */
export type PnlOfMoney = Omit<
  Pnl,
  'decisions' | 'expected_liability' | 'as_of_seq' | 'pending' | 'as_of' | 'activity_seq'
>;

export function buildPnl(currency: string, sums: PnlSums): PnlOfMoney {
  const { rounded, books } = printBooks(currency, sums.linked, sums.events);
  const [agents, types] = [
    printGroups(sums.byAgent, rounded),
    printGroups(sums.byActionType, rounded),
  ];
  const customers = sums.byCustomer === null ? null : printGroups(sums.byCustomer, rounded);
  return {
    currency,
    total_revenue_attributed: books.expected.revenue,
    net_ai_impact: books.expected.net,
    confidence_interval: interval(currency, books.expected.net, sums),
    likely_net: likelyNet(currency, books, sums),
    reversals: printReversals(currency, sums.reversals),
    ...books,
    reported:
      sums.events === null ? [] : printReported(books.by_currency, sums.events, sums.uncounted),
    by_agent: agents.listed.map(named),
    by_action_type: types.listed.map(named),
    by_customer: customers === null ? null : [...customers.listed],
    ...printPeriods(sums.linked, rounded, sums.closings),
    others: {
      by_agent: agents.rest,
      by_action_type: types.rest,
      by_customer: customers?.rest ?? null,
    },
  };
}

function likelyNet(
  currency: string,
  { confirmed, expected, total }: Books,
  { unnamed }: PnlSums,
): Pnl['likely_net'] {
  if (unnamed === null || total === null) return null;
  const printed = { confirmed: confirmed.net, headline: expected.net, total };
  return printLikelyNet(currency, printed, unnamed);
}

const named = <Figures extends { readonly key: string | null }>(figures: Figures) => ({
  ...figures,
  key: figures.key ?? '',
});

/** Quantile of the standard normal distribution: 90 % lie within so many deviations of the mean. */
const DEVIATIONS = '1.645';

/** Uncertainty of the money of matched suggestions; decimal text. */
export interface Uncertainty {
  readonly variance: string;
  /** Smallest possible sum of all matched suggestions, zero or below. */
  readonly lowest: string;
  /** Largest possible sum, zero or above. */
  readonly highest: string;
}

/**
 * A 90 % interval of a net: the normal distribution of the same mean and variance, cut at the smallest
 * and largest possible sum. Events are independent; the suggestions of one event exclude each other.
 * Its ends are printed at their rounded distance from the printed net.
 */
function interval(
  currency: string,
  printedNet: string,
  { linked, uncertainty: { variance, lowest, highest } }: PnlSums,
): Pnl['confidence_interval'] {
  const matched = netOf(cellsOf(linked), 'matched');
  const reach = new Big(variance).sqrt().times(DEVIATIONS);
  const [below, above] = [matched.minus(lowest), new Big(highest).minus(matched)];
  const distance = (limit: Big) => {
    const cut = limit.lt(reach) ? limit : reach;
    return cut.round(minorUnits(currency), HALF_EVEN);
  };
  return {
    low: printAmount(new Big(printedNet).minus(distance(below)), currency),
    high: printAmount(new Big(printedNet).plus(distance(above)), currency),
  };
}
