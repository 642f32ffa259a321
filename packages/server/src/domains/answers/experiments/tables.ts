import { type CsvLine, csvDecimal, csvFigures, csvTable } from '@decision-ledger/contract/csv';
import type { ExperimentAnalysis, ExperimentPage } from '@decision-ledger/contract/experiment';

const LISTED_COLUMNS = [
  ...['experiment_id', 'first_at', 'last_at', 'decisions', 'ignored', 'arm_count'],
  ...['arm', 'arm_decisions', 'unreadable'],
];

/** A row for each listed arm of each experiment. */
function experimentsTable({ experiments, unreadable }: ExperimentPage): Iterable<string> {
  return csvTable(
    LISTED_COLUMNS,
    experiments.flatMap(({ arms, ...own }) =>
      arms.map(({ arm, decisions }) => ({ ...own, arm, arm_decisions: decisions, unreadable })),
    ),
  );
}

const COLUMNS = [
  ...['section', 'key', 'figure', 'value', 'text', 'currency', 'experiment_id', 'as_of'],
];

/** A row for each figure of an analysis: of the whole, then of each remark, arm and difference. */
function experimentTable(analysis: ExperimentAnalysis): Iterable<string> {
  const { experiment_id, as_of, currency, reasons, warnings, arms, differences, ...rest } =
    analysis;
  const { unconverted, labels, covariates, ...figures } = rest;
  const total = { ...figures, labels: labels.join(), covariates: covariates.join() };
  const section = (
    name: string,
    key: string | null,
    figures: Parameters<typeof csvFigures>[0],
  ): CsvLine[] => csvFigures(figures).map((row) => ({ section: name, key, ...row, currency }));
  const lines = [
    ...section('total', null, total),
    ...reasons.flatMap(({ code, message }) => section('reason', code, { message })),
    ...warnings.flatMap(({ code, message }) => section('warning', code, { message })),
    ...arms.flatMap(({ arm, ...own }) => section('arm', arm, own)),
    ...differences.flatMap(({ arm, ...own }) => section('difference', arm, own)),
    ...unconverted.map(
      ({ arm, currency: own, amount }): CsvLine => ({
        ...{
          section: 'arm',
          key: arm,
          figure: 'unconverted',
          value: csvDecimal(amount),
          currency: own,
        },
      }),
    ),
  ];
  return csvTable(
    COLUMNS,
    lines.map((line) => ({ ...line, experiment_id, as_of })),
  );
}

export const EXPERIMENT_TABLES = {
  list: { name: 'experiments', print: experimentsTable },
  analysis: { name: 'experiment', print: experimentTable },
};
