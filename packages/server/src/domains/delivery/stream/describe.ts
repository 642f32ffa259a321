import { JsonObject } from '@decision-ledger/contract/shared';
import {
  STREAM_EVENTS,
  type StreamData,
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
import { money } from '../../judgement/liability/index.js';
import type { LogRecord } from './rules/merge.js';
import type { AnnouncementRow, StreamedActivity, StreamedDecision } from './store/logs.js';

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
export const RECORDED_TYPES: readonly string[] = STREAM_EVENTS.flatMap(({ type, log }) =>
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
    expected: money(exposure, currency),
    expected_low: money(low, currency),
    expected_high: money(high, currency),
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
