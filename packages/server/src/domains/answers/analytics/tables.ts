import type {
  AgentPage,
  ExposureAnalysis,
  Pnl,
  Timeline,
} from '@decision-ledger/contract/analytics';
import type { Books } from '@decision-ledger/contract/analytics-figures';
import type { ExposureRows, PnlRows } from '@decision-ledger/contract/analytics-rows';
import { type CsvLine, csvDecimal, csvFigures, csvTable } from '@decision-ledger/contract/csv';
import type { LiabilityBacktest } from '@decision-ledger/contract/liability';
import { figuresOf } from './rules/restate.js';

/** Answers as tables: CSV (RFC 4180). Amounts are numbers, and every row states its currency. */

const PNL_COLUMNS = [
  ...['section', 'key', 'figure', 'currency', 'amount'],
  ...['closed_at', 'restated_at', 'as_of', 'activity_seq', 'as_of_seq', 'pending'],
];

type Labelled = Pick<Books, 'expected' | 'confirmed' | 'matched' | 'guessed'>;

interface GroupRow extends Labelled {
  readonly key: string | null;
  readonly closed_at?: string | null;
  readonly restated_at?: string | null;
}

const LIKELY = ['proven', 'likely', 'unknown', 'expected', 'low', 'high'] as const;

/** A row for each figure of a profit and loss: of the whole, then of each group. */
function pnlTable(pnl: Pnl): Iterable<string> {
  const { currency, as_of, activity_seq, as_of_seq, pending, others } = pnl;
  const base = { currency, as_of, activity_seq, as_of_seq, pending };
  const whole = (figure: string, amount: string | null): CsvLine[] =>
    amount === null ? [] : [{ ...base, section: 'total', figure, amount: csvDecimal(amount) }];
  const groups = (section: string, all: readonly GroupRow[], rest: Labelled | null): CsvLine[] => [
    ...all.flatMap((group) => groupRows({ ...base, section, key: group.key }, group)),
    ...(rest === null ? [] : groupRows({ ...base, section: `other_${section}` }, rest)),
  ];
  const { low, high } = pnl.confidence_interval;
  return csvTable(PNL_COLUMNS, [
    ...whole('total_revenue_attributed', pnl.total_revenue_attributed),
    ...whole('net_ai_impact', pnl.net_ai_impact),
    ...whole('confidence_interval.low', low),
    ...whole('confidence_interval.high', high),
    ...LIKELY.flatMap((figure) =>
      pnl.likely_net === null ? [] : whole(`likely_net.${figure}`, pnl.likely_net[figure]),
    ),
    ...whole('reversals.total', pnl.reversals.total),
    ...whole('reversals.without_cause', pnl.reversals.without_cause),
    ...figuresOf(pnl).map(([figure, amount, own]) => ({
      ...{ ...base, section: 'total', figure, amount: csvDecimal(amount) },
      currency: own ?? currency,
    })),
    ...pnl.reported.flatMap(({ currency: own, ...lines }) =>
      Object.entries(lines).map(([figure, amount]) => ({
        ...{ ...base, section: 'reported', key: own, figure },
        ...{ amount: csvDecimal(amount), currency: own },
      })),
    ),
    ...whole('expected_liability', pnl.expected_liability),
    ...groups('agent', pnl.by_agent, others.by_agent),
    ...groups('action_type', pnl.by_action_type, others.by_action_type),
    ...groups('customer', pnl.by_customer ?? [], others.by_customer),
    ...groups('month', pnl.by_month, null),
    ...groups('quarter', pnl.by_quarter, null),
  ]);
}

function groupRows(common: CsvLine, group: Labelled & Partial<GroupRow>): CsvLine[] {
  const { closed_at = null, restated_at = null } = group;
  const labels = ['expected', 'confirmed', 'matched', 'guessed'] as const;
  return labels.flatMap((label) =>
    Object.entries(group[label]).map(([type, amount]) => ({
      ...{ ...common, closed_at, restated_at },
      ...{ figure: `${label}.${type}`, amount: csvDecimal(amount) },
    })),
  );
}

const FIGURE_COLUMNS = [
  ...['decisions', 'mean_confidence', 'human_review_share', 'exposure', 'currency'],
  ...['revenue', 'losses', 'net', 'guessed_revenue', 'guessed_losses', 'guessed_net'],
  ...['unconverted', 'as_of', 'activity_seq', 'as_of_seq', 'pending'],
];

type Moved = Omit<Timeline['timeline'][number], 'start' | 'key'>;

function movedCells({ guessed, unconverted, ...row }: Moved): CsvLine {
  return {
    ...row,
    exposure: csvDecimal(row.exposure),
    revenue: csvDecimal(row.revenue),
    losses: csvDecimal(row.losses),
    net: csvDecimal(row.net),
    guessed_revenue: csvDecimal(guessed.revenue),
    guessed_losses: csvDecimal(guessed.losses),
    guessed_net: csvDecimal(guessed.net),
    unconverted: unconverted.map(({ currency, amount }) => `${currency} ${amount}`).join(' '),
  };
}

function timelineTable({ timeline, ...answer }: Timeline): Iterable<string> {
  const { currency, as_of, activity_seq, as_of_seq, pending } = answer;
  const rows = timeline.map(({ start, key, ...row }) => ({
    ...movedCells(row),
    ...{ start, key, currency, as_of, activity_seq, as_of_seq, pending },
  }));
  return csvTable(['start', 'key', ...FIGURE_COLUMNS], rows);
}

function agentsTable({ agents, ...answer }: AgentPage): Iterable<string> {
  const { currency, as_of, activity_seq, as_of_seq, pending } = answer;
  const rows = agents.map(({ agent_id, ...row }) => ({
    ...movedCells(row),
    ...{ agent_id, currency, as_of, activity_seq, as_of_seq, pending },
  }));
  return csvTable(['agent_id', ...FIGURE_COLUMNS], rows);
}

const ROW_COLUMNS = [
  ...['financial_event_id', 'source', 'event_type', 'timestamp', 'currency', 'event_amount'],
  ...['counted_amount', 'link_id', 'decision_id', 'label', 'link_type', 'share', 'amount', 'rate'],
  ...['converted_amount', 'base_currency', 'as_of', 'activity_seq'],
];

function rowsTable({ rows, currency, as_of, activity_seq }: PnlRows): Iterable<string> {
  return csvTable(
    ROW_COLUMNS,
    rows.map((row) => ({
      ...row,
      event_amount: csvDecimal(row.event_amount),
      counted_amount: csvDecimal(row.counted_amount),
      share: csvDecimal(row.share),
      amount: csvDecimal(row.amount),
      rate: csvDecimal(row.rate),
      converted_amount: csvDecimal(row.converted_amount),
      ...{ base_currency: currency, as_of, activity_seq },
    })),
  );
}

/** The tables of the profit and loss and of what belongs to it. */
export const PNL_TABLES = {
  pnl: { name: 'ai-pnl', print: pnlTable },
  rows: { name: 'ai-pnl-rows', print: rowsTable },
  timeline: { name: 'timeline', print: timelineTable },
  agents: { name: 'agents', print: agentsTable },
};

const COLUMNS = ['section', 'key', 'figure', 'value', 'text', 'currency', 'version'];

/** A row for each figure of the exposure: of the whole, then of each action type, decision and day. */
function exposureTable(analysis: ExposureAnalysis): Iterable<string> {
  const { currency, version, as_of, as_of_seq, pending, ...figures } = analysis;
  const { aggregate, by_action_type, top_decisions, trend, ...total } = figures;
  const base = { currency, version };
  const sections = [
    ...csvFigures({ ...aggregate, ...total }).map((row) => ({ ...base, section: 'total', ...row })),
    ...by_action_type.flatMap(({ action_type, ...own }) =>
      csvFigures(own).map((row) => ({ ...base, section: 'action_type', key: action_type, ...row })),
    ),
    ...top_decisions.flatMap(({ decision_id, ...own }) =>
      csvFigures(own).map((row) => ({ ...base, section: 'decision', key: decision_id, ...row })),
    ),
    ...trend.flatMap(({ day, currency: then, ...own }) =>
      csvFigures(own).map((row) => ({ section: 'day', key: day, ...row, currency: then })),
    ),
  ];
  return csvTable(
    [...COLUMNS, 'as_of', 'as_of_seq', 'pending'],
    sections.map((row) => ({ ...row, as_of, as_of_seq, pending })),
  );
}

/** A row for each figure of the back-test: of the whole, then of each month and agent. */
function backtestTable({ months, agents, ...total }: LiabilityBacktest): Iterable<string> {
  return csvTable(COLUMNS, [
    ...csvFigures(total).map((row) => ({ section: 'total', ...row })),
    ...months.flatMap(({ month, currency, version, ...own }) =>
      csvFigures(own).map((row) => ({ section: 'month', key: month, ...row, currency, version })),
    ),
    ...agents.flatMap(({ agent_id, bins, ...own }) => {
      const byBin = bins.map(({ bin, ...figures }) => [`bins.${bin}`, figures]);
      return csvFigures({ ...own, ...Object.fromEntries(byBin) }).map((row) => ({
        ...{ section: 'agent', key: agent_id },
        ...row,
      }));
    }),
  ]);
}

const EXPOSURE_ROW_COLUMNS = [
  ...['decision_id', 'seq', 'agent_id', 'action_type', 'timestamp', 'confidence', 'is_reviewed'],
  ...['exposure', 'low', 'high', 'realised', 'open', 'is_denied', 'unconverted_count'],
  ...['currency', 'as_of', 'activity_seq', 'as_of_seq', 'pending'],
];

/** A row for each decision. */
function exposureRowsTable({ rows, ...answer }: ExposureRows): Iterable<string> {
  const { currency, as_of, activity_seq, as_of_seq, pending } = answer;
  return csvTable(
    EXPOSURE_ROW_COLUMNS,
    rows.map((row) => ({
      ...row,
      exposure: csvDecimal(row.exposure),
      low: csvDecimal(row.low),
      high: csvDecimal(row.high),
      realised: csvDecimal(row.realised),
      open: csvDecimal(row.open),
      ...{ currency, as_of, activity_seq, as_of_seq, pending },
    })),
  );
}

export const EXPOSURE_TABLES = {
  exposure: { name: 'liability', print: exposureTable },
  rows: { name: 'liability-rows', print: exposureRowsTable },
  backtest: { name: 'liability-backtest', print: backtestTable },
};
