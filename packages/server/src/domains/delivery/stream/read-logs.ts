import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import {
  describeActivity,
  describeAnnouncement,
  describeDecision,
  type LogItem,
  RECORDED_TYPES,
} from './describe.js';
import { type Merged, mergeLogs, type Stretch } from './rules/merge.js';
import type { LogName, Position } from './rules/position.js';
import {
  type Span,
  selectActivity,
  selectAgents,
  selectAnnouncements,
  selectDecisions,
} from './store/logs.js';

/** Rows of one log that are read at a time. */
const STEP = 500;

export interface LogPage extends Merged<LogItem> {
  /** Some announcements behind `from` were deleted for their age before they could be read. */
  readonly hasMissed: boolean;
}

/** The next events behind a position, up to another one, in short statements. */
export async function readLogs(
  db: Queryable,
  scope: Scope,
  from: Position,
  to: Position,
): Promise<LogPage> {
  const span = (log: LogName): Span => ({ after: from[log], last: to[log], limit: STEP });
  const isAhead = (log: LogName) => to[log] > from[log];
  // One after the other, so that whoever reads takes one connection at a time.
  const decisions = isAhead('decisions') ? await selectDecisions(db, scope, span('decisions')) : [];
  const activity = isAhead('activity')
    ? await selectActivity(db, scope, span('activity'), RECORDED_TYPES)
    : { rows: [], hasMore: false };
  const announced = isAhead('announcements')
    ? await selectAnnouncements(db, scope, span('announcements'))
    : { rows: [], prunedSeq: 0 };
  const merged = mergeLogs(from, to, {
    decisions: stretch(decisions.map(describeDecision)),
    activity: { items: activity.rows.map(describeActivity), isCut: activity.hasMore },
    announcements: stretch(announced.rows.map(describeAnnouncement)),
  });
  const items = await withAgents(db, scope, merged.items);
  return { items, end: merged.end, hasMissed: announced.prunedSeq > from.announcements };
}

function stretch(items: LogItem[]): Stretch<LogItem> {
  return { items, isCut: items.length === STEP };
}

type Placed = Merged<LogItem>['items'];

/** Links and estimates tell the decision, and filters ask for its agent. */
async function withAgents(db: Queryable, scope: Scope, items: Placed): Promise<Placed> {
  const unknown = items.flatMap(({ item: { event } }) =>
    event !== null && event.decisionId !== null && event.agentId === null ? event.decisionId : [],
  );
  if (unknown.length === 0) return items;
  const agents = await selectAgents(db, scope, [...new Set(unknown)]);
  return items.map(({ item, after }) => {
    const { event } = item;
    if (event === null || event.agentId !== null || event.decisionId === null) {
      return { item, after };
    }
    const agentId = agents.get(event.decisionId) ?? null;
    return { item: { ...item, event: { ...event, agentId } }, after };
  });
}
