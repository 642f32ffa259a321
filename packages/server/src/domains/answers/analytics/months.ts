import {
  type ClosedMonth,
  Explanation,
  type FigureChange,
  type MonthBooks,
  MonthPage,
  type MonthQuery,
} from '@decision-ledger/contract/analytics-months';
import { type CsvLine, csvDecimal, csvTable } from '@decision-ledger/contract/csv';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import type { Ledger } from '../../../platform/ledger.js';
import { type PageRows, pageOf, type Slice } from '../../../platform/page.js';
import { readConsistent, type State } from './consistent.js';
import { readMonths, readStoredBooks } from './month-books.js';
import { groupBy } from './rules/groups.js';
import { figuresOf, ownCurrencyOf } from './rules/restate.js';
import { type StoredRestatement, selectClosedMonths, selectRestatements } from './store/months.js';

/** A page of closed months and the state that the current figures are of. */
export interface MonthRows extends PageRows<ClosedMonth> {
  readonly state: State;
}

/** Closed months, the latest first. */
export async function listMonths(
  ledger: Ledger,
  { month }: MonthQuery,
  { after, limit }: Slice<string>,
): Promise<MonthRows> {
  const { state, result } = await readConsistent(ledger, async (reader) => {
    const months = await selectClosedMonths(reader, { month, before: after }, limit + 1);
    const { rows, hasMore } = pageOf(months, limit);
    const names = rows.map((row) => row.month);
    const [restatements, current] = await Promise.all([
      selectRestatements(reader, names),
      readMonths(reader, [...names].reverse()),
    ]);
    return { rows, hasMore, restatements, current };
  });
  const restated = groupBy(result.restatements, (row) => row.month);
  const rows = result.rows.flatMap((row) => {
    const current = result.current.get(row.month);
    if (current === undefined) return [];
    return {
      month: row.month,
      closed_at: formatTimestamp(row.at),
      activity_seq: row.activity_seq,
      activity_hash: row.activity_hash,
      closed: readStoredBooks(row.figures),
      restatements: (restated.get(row.month) ?? []).map(describe),
      current,
    };
  });
  return { rows, hasMore: result.hasMore, state };
}

const checkChanges = checker(
  MonthPage.properties.months.items.properties.restatements.items.properties.changes,
  'changes',
);
const checkExplanation = checker(Explanation, 'explanation');

function describe(row: StoredRestatement): ClosedMonth['restatements'][number] {
  const changes: FigureChange[] = checkChanges(parseJson(row.changes));
  return {
    restated_at: formatTimestamp(row.at),
    activity_seq: row.activity_seq,
    activity_hash: row.activity_hash,
    changes,
    explanation: checkExplanation(parseJson(row.explanation)),
    figures: readStoredBooks(row.figures),
  };
}

const COLUMNS = [
  ...['month', 'section', 'figure', 'currency', 'amount', 'before'],
  ...['at', 'activity_seq', 'activity_hash', 'reason'],
];

/** A row for each figure of closed months: as closed, as restated, with what each reason added, and now. */
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
  const {
    restated_at: at,
    figures,
    changes,
    explanation,
    activity_seq,
    activity_hash,
  } = restatement;
  const state = { month, at, activity_seq, activity_hash };
  const common = { section: 'restated', ...state };
  const before = new Map(changes.map((change) => [change.figure, change.before]));
  const wasOf = (figure: string) => ({ before: csvDecimal(before.get(figure) ?? null) });
  const rows = figuresOf(figures).map(([figure, amount, currency]) => ({
    ...{ ...common, figure, amount: csvDecimal(amount), currency: currency ?? figures.currency },
    ...wasOf(figure),
  }));
  const ended = changes.filter(({ after }) => after === null);
  const reasons = explanation.reasons.flatMap(({ type: reason, figures: added }) =>
    added.map(({ figure, amount }) => ({
      ...{ section: 'reason', ...state, reason, figure, amount: csvDecimal(amount) },
      currency: ownCurrencyOf(figure) ?? figures.currency,
    })),
  );
  return [
    ...rows,
    ...ended.map(({ figure }) => ({ ...common, figure, ...wasOf(figure) })),
    ...reasons,
  ];
}

export const MONTHS_TABLE = { name: 'months', print: monthsTable };
