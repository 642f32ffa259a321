import {
  type ClosedMonth,
  type FigureChange,
  MonthPage,
  type MonthQuery,
} from '@decision-ledger/contract/analytics-months';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { parseJson } from '@decision-ledger/proof/gate';
import type { Ledger } from '../../../platform/ledger.js';
import { type PageRows, pageOf, type Slice } from '../../../platform/page.js';
import { readConsistent, type State } from './consistent.js';
import { readMonths } from './month-books.js';
import { readStoredBooks } from './publish-months.js';
import { groupBy } from './rules/groups.js';
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

function describe(row: StoredRestatement): ClosedMonth['restatements'][number] {
  const changes: FigureChange[] = checkChanges(parseJson(row.changes));
  return {
    restated_at: formatTimestamp(row.at),
    activity_seq: row.activity_seq,
    activity_hash: row.activity_hash,
    changes,
    figures: readStoredBooks(row.figures),
  };
}
