import type { ExposureAnalysis } from '@decision-ledger/contract/analytics';
import type { ExposureRows } from '@decision-ledger/contract/analytics-rows';
import { csvDecimal, csvFigures, csvTable } from '@decision-ledger/contract/csv';
import type { LiabilityBacktest } from '@decision-ledger/contract/liability';

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

const ROW_COLUMNS = [
  ...['decision_id', 'seq', 'agent_id', 'action_type', 'timestamp', 'confidence', 'is_reviewed'],
  ...['exposure', 'low', 'high', 'realised', 'open', 'is_denied', 'unconverted_count'],
  ...['currency', 'as_of', 'activity_seq', 'as_of_seq', 'pending'],
];

/** A row for each decision. */
function exposureRowsTable({ rows, ...answer }: ExposureRows): Iterable<string> {
  const { currency, as_of, activity_seq, as_of_seq, pending } = answer;
  return csvTable(
    ROW_COLUMNS,
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
