import { roundToMinorUnit } from '@decision-ledger/amounts/minor-units';
import { JsonObject } from '@decision-ledger/contract/shared';
import {
  STREAM_EVENTS,
  type StreamData,
  type StreamLog,
  type StreamType,
  type StreamTypeOf,
  streamEventOf,
} from '@decision-ledger/contract/stream-events';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { TObject } from 'typebox';
import { Check } from 'typebox/value';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { readExposures } from '../../judgement/liability/index.js';
import {
  type LogPage,
  type LogRecord,
  type Merged,
  mergeLogs,
  type StreamPosition,
} from './rules/position.js';
import {
  type AnnouncementRow,
  type LogRange,
  type StreamedActivity,
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

/** A record of a log, described as it is sent. */
export interface LogItem extends LogRecord {
  /** Null for a record that is not sent. */
  readonly event: {
    readonly type: StreamType;
    readonly data: object;
    /** UUID of the decision that the event is about. */
    readonly decisionId: string | null;
    /** Agent of that decision, if known. */
    readonly agentId: string | null;
  } | null;
  /** A field was erased: events sent before may contain it. */
  readonly erases?: true;
}

const ERASURE = 'decision.field_erased';

/** Types of activity that are sent. */
const RECORDED_TYPES: readonly string[] = STREAM_EVENTS.flatMap(({ type, log }) =>
  log === 'activity' ? [type] : [],
);

/** Members that come from the record itself. */
const RECORD_MEMBERS = ['activity_id', 'subject', 'actor'];

const checkObject = checker(JsonObject, 'data');

/** The data of each event that a decision makes. */
const DECISION_EVENTS: {
  readonly [Type in StreamTypeOf<'decisions'>]: (row: StreamedDecision) => StreamData<Type>;
} = {
  'decision.recorded': (row) => ({
    decision_id: uuidToId('dec', row.decision_id),
    seq: row.seq,
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
    hash: row.hash,
    prev_hash: row.prev_hash,
    agent_id: row.agent_id,
    action_type: row.action_type,
    confidence: row.confidence,
    human_in_loop: row.human_in_loop,
    exposure: describeExposure(row),
  }),
};

export function describeDecision(row: StreamedDecision): LogItem {
  const type = 'decision.recorded';
  const data = DECISION_EVENTS[type](row);
  return {
    log: 'decisions',
    seq: row.seq,
    time: row.created_at,
    event: { type, data, decisionId: row.decision_id, agentId: row.agent_id },
  };
}

function describeExposure({ exposure, low, high, currency }: StreamedDecision) {
  if (exposure === null || low === null || high === null || currency === null) return null;
  return {
    expected: roundToMinorUnit(exposure, currency),
    expected_low: roundToMinorUnit(low, currency),
    expected_high: roundToMinorUnit(high, currency),
    currency,
  };
}

export function describeActivity(row: StreamedActivity): LogItem {
  const { seq, subject, actor } = row;
  const record = { log: 'activity', seq, time: row.created_at } as const;
  if (row.type === ERASURE) return { ...record, event: null, erases: true };
  const described = streamEventOf(row.type);
  if (described?.log !== 'activity') return { ...record, event: null };
  const { type, schema } = described;
  const disclosed = pick(schema, readDisclosed(row.data));
  const data = { activity_id: uuidToId('act', row.activity_id), subject, actor, ...disclosed };
  return { ...record, event: { type, data, decisionId: decisionOf(disclosed), agentId: null } };
}

/** The disclosed members of a record; none for a record that was tampered with. */
function readDisclosed(disclosure: string | null): Readonly<Record<string, JsonValue>> {
  const data = legibleValue(disclosure, 'data');
  return Check(JsonObject, data) ? data : {};
}

/** Only the members that the schema names: never metadata, descriptions or notes. */
function pick(
  { properties }: TObject,
  disclosed: Readonly<Record<string, JsonValue>>,
): Record<string, JsonValue> {
  const names = Object.keys(properties).filter((name) => !RECORD_MEMBERS.includes(name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = disclosed[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

export function describeAnnouncement(row: AnnouncementRow): LogItem {
  const { seq } = row;
  const record = { log: 'announcements', seq, time: row.created_at } as const;
  const described = streamEventOf(row.type);
  if (described?.log !== 'announcements') return { ...record, event: null };
  const { type } = described;
  const data = checkObject(JSON.parse(row.data));
  return { ...record, event: { type, data, decisionId: decisionOf(data), agentId: null } };
}

function decisionOf({ decision_id }: Readonly<Record<string, JsonValue>>): string | null {
  return typeof decision_id === 'string' ? idToUuid('dec', decision_id) : null;
}
