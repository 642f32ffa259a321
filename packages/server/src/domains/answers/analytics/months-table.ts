import type {
  ClosedMonth,
  MonthBooks,
  MonthPage,
} from '@decision-ledger/contract/analytics-months';
import { type CsvLine, csvDecimal, csvTable } from '@decision-ledger/contract/csv';
import { figuresOf } from './rules/restate.js';

const COLUMNS = [
  ...['month', 'section', 'figure', 'currency', 'amount', 'before'],
  ...['at', 'activity_seq', 'activity_hash'],
];

/** A row for each figure of closed months: as closed, as restated and now. */
function monthsTable({ months, as_of, activity_seq }: MonthPage): Iterable<string> {
  const lines = months.flatMap(
    ({ month, closed_at: at, closed, restatements, current, ...own }) => [
      ...booksRows({ month, section: 'closed', at, ...own }, closed),
      ...restatements.flatMap((restatement) => restatedRows(month, restatement)),
      ...booksRows({ month, section: 'current', at: as_of, activity_seq }, current),
    ],
  );
  return csvTable(COLUMNS, lines);
}

function booksRows(common: CsvLine, books: MonthBooks): CsvLine[] {
  return figuresOf(books).map(([figure, amount, currency]) => ({
    ...common,
    ...{ figure, amount: csvDecimal(amount), currency: currency ?? books.currency },
  }));
}

/** The figures of a restatement, those that it changed with the amount before, and those that it ended. */
function restatedRows(month: string, restatement: ClosedMonth['restatements'][number]): CsvLine[] {
  const { restated_at: at, figures, changes, ...own } = restatement;
  const common = { month, section: 'restated', at, ...own };
  const before = new Map(changes.map((change) => [change.figure, change.before]));
  const wasOf = (figure: string) => ({ before: csvDecimal(before.get(figure) ?? null) });
  const rows = figuresOf(figures).map(([figure, amount, currency]) => ({
    ...{ ...common, figure, amount: csvDecimal(amount), currency: currency ?? figures.currency },
    ...wasOf(figure),
  }));
  const ended = changes.filter(({ after }) => after === null);
  return [...rows, ...ended.map(({ figure }) => ({ ...common, figure, ...wasOf(figure) }))];
}

export const MONTHS_TABLE = { name: 'months', print: monthsTable };
