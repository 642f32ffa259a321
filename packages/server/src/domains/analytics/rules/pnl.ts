import type { Figures, Pnl } from '@decision-ledger/contract/analytics';
import { CURRENCIES } from '@decision-ledger/contract/currency';
import { Big } from 'big.js';

/** Half to even, so that many roundings do not drift. */
const HALF_EVEN = 2;

/** A sum of what links move. */
export interface Attributed {
  readonly agent_id: string;
  readonly action_type: string;
  /** Of the events, UTC: `2026-04`. */
  readonly month: string;
  readonly link_type: 'revenue' | 'cost' | 'loss' | 'refund' | 'saving';
  readonly is_confirmed: boolean;
  /** Null where the amount is in the base currency. */
  readonly unconverted: string | null;
  /** Decimal text, signed. */
  readonly amount: string;
}

/** A sum of what events hold beyond their links. */
export interface Rest {
  readonly unconverted: string | null;
  readonly amount: string;
}

/** @param rest null where the analysis leaves unattributed money out */
export function buildPnl(
  currency: string,
  attributed: readonly Attributed[],
  rest: readonly Rest[] | null,
  decisions: number,
): Pnl {
  const rows = attributed.filter(({ unconverted }) => unconverted === null);
  const round = rounder(currency);
  const expected = figuresOf(rows, round);
  const own = rest?.filter(({ unconverted }) => unconverted === null) ?? null;
  return {
    currency,
    total_revenue_attributed: expected.revenue,
    net_ai_impact: expected.net,
    expected,
    confirmed: figuresOf(rows.filter(isConfirmed), round),
    unattributed: own === null ? null : round(sum(own)),
    unconverted: {
      attributed: byCurrency(attributed),
      unattributed: byCurrency(rest ?? []),
    },
    decisions,
    by_agent: groups(rows, ({ agent_id }) => agent_id, round),
    by_action_type: groups(rows, ({ action_type }) => action_type, round),
    by_month: groups(rows, ({ month }) => month, round),
  };
}

type Round = (amount: Big) => string;

function rounder(currency: string): Round {
  const digits = CURRENCIES.get(currency) ?? 2;
  return (amount) => {
    const text = amount.toFixed(digits, HALF_EVEN);
    return /^-0(\.0+)?$/.test(text) ? text.slice(1) : text;
  };
}

function sum(rows: readonly { readonly amount: string }[]): Big {
  return rows.reduce((total, { amount }) => total.plus(amount), new Big(0));
}

const isConfirmed = ({ is_confirmed }: Attributed): boolean => is_confirmed;

function figuresOf(rows: readonly Attributed[], round: Round): Figures {
  const of = (type: Attributed['link_type']) =>
    round(sum(rows.filter(({ link_type }) => link_type === type)));
  return {
    revenue: of('revenue'),
    savings: of('saving'),
    costs: of('cost'),
    refunds: of('refund'),
    losses: of('loss'),
    net: round(sum(rows)),
  };
}

function groups(
  rows: readonly Attributed[],
  keyOf: (row: Attributed) => string,
  round: Round,
): Pnl['by_agent'] {
  const byKey = new Map<string, Attributed[]>();
  for (const row of rows) {
    const group = byKey.get(keyOf(row));
    if (group === undefined) byKey.set(keyOf(row), [row]);
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

function byCurrency(rows: readonly Rest[]): Pnl['unconverted']['attributed'] {
  const sums = new Map<string, Big>();
  for (const { unconverted, amount } of rows) {
    if (unconverted !== null) {
      sums.set(unconverted, (sums.get(unconverted) ?? new Big(0)).plus(amount));
    }
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ currency, amount: rounder(currency)(amount) }));
}
