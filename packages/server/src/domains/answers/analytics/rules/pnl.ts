import type { Figures, Pnl } from '@decision-ledger/contract/analytics';
import { Big } from 'big.js';
import { type Amount, byCurrency, type Round, rounder, sum } from './money.js';

/** A sum of allocations, grouped by agent, action type or month; the other two are null. */
export interface Moved extends Amount {
  readonly agent_id: string | null;
  readonly action_type: string | null;
  /** Month of the events, UTC: `2026-04`. */
  readonly month: string | null;
  readonly link_type: 'revenue' | 'cost' | 'loss' | 'refund' | 'saving';
  readonly is_confirmed: boolean;
}

/** Sums of one ledger. */
export interface PnlSums {
  readonly moved: readonly Moved[];
  /** The parts of events without a link; null if the filter excludes them. */
  readonly unattributed: readonly Amount[] | null;
  readonly uncertainty: Uncertainty;
}

/** The profit and loss without the figures that are read from decisions. */
export type PnlOfMoney = Omit<Pnl, 'decisions' | 'expected_liability'>;

export function buildPnl(
  currency: string,
  { moved, unattributed, uncertainty }: PnlSums,
): PnlOfMoney {
  const converted = moved.filter(isConverted);
  // Only the groups by month are complete: agents and action types are limited to MAX_GROUPS.
  const rows = converted.filter(({ month }) => month !== null);
  const settled = rows.filter(isConfirmed);
  const round = rounder(currency);
  const expected = figuresOf(rows, round);
  const { low, high } = netInterval(sum(rows), sum(settled), uncertainty);
  return {
    currency,
    total_revenue_attributed: expected.revenue,
    net_ai_impact: expected.net,
    confidence_interval: { low: round(low), high: round(high) },
    expected,
    confirmed: figuresOf(settled, round),
    unattributed: unattributed === null ? null : round(sum(unattributed.filter(isConverted))),
    unconverted: byCurrency(moved.filter(({ month }) => month !== null)),
    unattributed_unconverted: byCurrency(unattributed ?? []),
    by_agent: groups(converted, ({ agent_id }) => agent_id, round),
    by_action_type: groups(converted, ({ action_type }) => action_type, round),
    by_month: groups(converted, ({ month }) => month, round),
  };
}

const isConverted = ({ unconverted }: Amount): boolean => unconverted === null;
const isConfirmed = ({ is_confirmed }: Moved): boolean => is_confirmed;

function figuresOf(rows: readonly Moved[], round: Round): Figures {
  const of = (type: Moved['link_type']): Big =>
    sum(rows.filter(({ link_type }) => link_type === type));
  return {
    revenue: round(of('revenue')),
    savings: round(of('saving')),
    costs: round(of('cost')),
    refunds: round(of('refund')),
    losses: round(of('loss')),
    net: round(sum(rows)),
  };
}

function groups(
  rows: readonly Moved[],
  keyOf: (row: Moved) => string | null,
  round: Round,
): Pnl['by_agent'] {
  const byKey = new Map<string, Moved[]>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key === null) continue;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [row]);
    else group.push(row);
  }
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => ({
      key,
      expected: figuresOf(own, round),
      confirmed: figuresOf(own.filter(isConfirmed), round),
    }));
}

/** Quantile of the standard normal distribution: 90 % lie within so many deviations of the mean. */
const DEVIATIONS = '1.645';

/** Uncertainty of the money of suggested links; decimal text. */
export interface Uncertainty {
  readonly variance: string;
  /** Smallest possible sum of all suggestions, zero or below. */
  readonly lowest: string;
  /** Largest possible sum, zero or above. */
  readonly highest: string;
}

/**
 * A 90 % interval of a net: the normal distribution of the same mean and variance, cut at the smallest
 * and largest possible sum. Events are independent; the suggestions of one event exclude each other.
 * @param net includes suggestions, weighted by strength
 * @param settled the part of links that people created or confirmed
 */
function netInterval(
  net: Big,
  settled: Big,
  { variance, lowest, highest }: Uncertainty,
): { low: Big; high: Big } {
  const reach = new Big(variance).sqrt().times(DEVIATIONS);
  const [bottom, top] = [settled.plus(lowest), settled.plus(highest)];
  const [low, high] = [net.minus(reach), net.plus(reach)];
  return { low: low.lt(bottom) ? bottom : low, high: high.gt(top) ? top : high };
}
