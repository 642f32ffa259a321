import type { StreamLog } from '@decision-ledger/contract/stream-events';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readExposures } from '../../judgement/liability/index.js';
import {
  describeActivity,
  describeAnnouncement,
  describeDecision,
  type LogItem,
  RECORDED_TYPES,
} from './describe.js';
import { type LogPage, type Merged, mergeLogs } from './rules/merge.js';
import type { StreamPosition } from './rules/position.js';
import {
  type LogRange,
  type StreamedDecision,
  selectActivity,
  selectAgents,
  selectAnnouncements,
  selectStreamedDecisions,
} from './store/logs.js';

/** Rows of one log per statement. */
const STEP = 500;

interface LogItems extends LogPage<LogItem> {
  /** Records after the start of the span were deleted for their age. */
  readonly hasMissed: boolean;
}

type LogReader = (ledger: LedgerReader, span: LogRange) => Promise<LogItems>;

const READERS: { readonly [Log in StreamLog]: LogReader } = {
  async decisions(ledger, span) {
    const rows = await withExposures(ledger, await selectStreamedDecisions(ledger, span));
    return {
      items: rows.map(describeDecision),
      isCut: rows.length === span.limit,
      hasMissed: false,
    };
  },
  async activity(ledger, span) {
    const { rows, hasMore } = await selectActivity(ledger, span, RECORDED_TYPES);
    return { items: rows.map(describeActivity), isCut: hasMore, hasMissed: false };
  },
  async announcements(ledger, span) {
    const { rows, prunedSeq } = await selectAnnouncements(ledger, span);
    return {
      items: rows.map(describeAnnouncement),
      isCut: rows.length === span.limit,
      hasMissed: prunedSeq > span.after,
    };
  },
};

/** Adds what decisions are expected to cost whose estimates are not stored yet. */
async function withExposures(
  ledger: LedgerReader,
  rows: readonly StreamedDecision[],
): Promise<readonly StreamedDecision[]> {
  const seqs = rows.flatMap(({ seq, exposure }) => (exposure === null ? seq : []));
  if (seqs.length === 0) return rows;
  const exposures = await readExposures(ledger, seqs);
  return rows.map((row) => ({ ...row, ...exposures.get(row.seq) }));
}

const NOTHING: LogItems = { items: [], isCut: false, hasMissed: false };

export interface MergedLogs extends Merged<LogItem> {
  /** Announcements after `from` were deleted for their age. */
  readonly hasMissed: boolean;
}

/** Reads the next items between two positions: at most 500 of each log, in short statements. */
export async function readLogs(
  ledger: LedgerReader,
  from: StreamPosition,
  to: StreamPosition,
): Promise<MergedLogs> {
  const read = async (log: StreamLog): Promise<LogItems> => {
    if (to[log] <= from[log]) return NOTHING;
    return READERS[log](ledger, { after: from[log], last: to[log], limit: STEP });
  };
  // One after the other, so that a reader uses one connection at a time.
  const pages = {
    decisions: await read('decisions'),
    activity: await read('activity'),
    announcements: await read('announcements'),
  };
  const { items, end } = mergeLogs(from, to, pages);
  const hasMissed = Object.values(pages).some((page) => page.hasMissed);
  return { items: await withAgents(ledger, items), end, hasMissed };
}

type MergedItems = Merged<LogItem>['items'];

/** Adds the agent to events about links and estimates, which name the decision alone. */
async function withAgents(ledger: LedgerReader, items: MergedItems): Promise<MergedItems> {
  const unknown = items.flatMap(({ item: { event } }) =>
    event !== null && event.decisionId !== null && event.agentId === null ? event.decisionId : [],
  );
  if (unknown.length === 0) return items;
  const agents = await selectAgents(ledger, [...new Set(unknown)]);
  return items.map(({ item, after }) => {
    const { event } = item;
    if (event === null || event.agentId !== null || event.decisionId === null) {
      return { item, after };
    }
    const agentId = agents.get(event.decisionId) ?? null;
    return { item: { ...item, event: { ...event, agentId } }, after };
  });
}
