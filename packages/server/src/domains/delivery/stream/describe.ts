import { JsonObject } from '@decision-ledger/contract/shared';
import {
  isStreamType,
  STREAM_DATA,
  STREAM_TYPES,
  type StreamData,
  type StreamType,
} from '@decision-ledger/contract/stream';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { checker } from '@decision-ledger/contract/validation';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { Check } from 'typebox/value';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import { money } from '../../judgement/liability/index.js';
import type { Placed } from './rules/merge.js';
import type { ActivityRow, AnnouncementRow, DecisionRow } from './store/logs.js';

/** What stands in a log, as it is sent. */
export interface LogItem extends Placed {
  /** Null for what is not sent. */
  readonly event: {
    readonly type: StreamType;
    readonly data: object;
    /** The decision (UUID) that it is about. */
    readonly decisionId: string | null;
    /** Of that decision, where it is known. */
    readonly agentId: string | null;
  } | null;
  /** What was told before may rest on what is erased with this. */
  readonly erases?: true;
}

const ERASURE = 'decision.field_erased';

/** Types that tell of a record of the chain of activity. */
export const RECORDED_TYPES = STREAM_TYPES.filter((type) => /^(financial_event|link)\./.test(type));
const ANNOUNCED_TYPES = STREAM_TYPES.filter(
  (type) => !RECORDED_TYPES.includes(type) && type !== 'decision.recorded' && type !== 'heartbeat',
);

/** Members that come from the record itself. */
const OF_RECORD = ['activity_id', 'subject', 'actor'];

const checkObject = checker(JsonObject, 'data');

export function describeDecision(row: DecisionRow): LogItem {
  const { seq, agent_id, action_type, confidence, human_in_loop, hash, prev_hash } = row;
  const data: StreamData<'decision.recorded'> = {
    decision_id: uuidToId('dec', row.decision_id),
    seq,
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
    ...{ hash, prev_hash, agent_id, action_type, confidence, human_in_loop },
    exposure: describeExposure(row),
  };
  const event = {
    ...({
      type: 'decision.recorded',
      data,
      decisionId: row.decision_id,
      agentId: agent_id,
    } as const),
  };
  return { log: 'decisions', seq, time: row.created_at, event };
}

function describeExposure({ exposure, low, high, currency }: DecisionRow) {
  if (exposure === null || low === null || high === null || currency === null) return null;
  return {
    exposure: money(exposure, currency),
    low: money(low, currency),
    high: money(high, currency),
    currency,
  };
}

export function describeActivity(row: ActivityRow): LogItem {
  const { seq, type, subject, actor } = row;
  const placed = { log: 'activity', seq, time: row.created_at } as const;
  if (type === ERASURE) return { ...placed, event: null, erases: true };
  if (!isStreamType(type) || !RECORDED_TYPES.includes(type)) return { ...placed, event: null };
  const told = shown(type, readDisclosed(row.data));
  const data = { activity_id: uuidToId('act', row.activity_id), subject, actor, ...told };
  return { ...placed, event: { type, data, decisionId: decisionOf(told), agentId: null } };
}

/** What the record discloses. One that was tampered with tells nothing, and hides none of the others. */
function readDisclosed(disclosure: string | null): Readonly<Record<string, JsonValue>> {
  const data = legibleValue(disclosure, 'data');
  return Check(JsonObject, data) ? data : {};
}

/** Only the members that the type names: never metadata, descriptions or notes. */
function shown(
  type: StreamType,
  disclosed: Readonly<Record<string, JsonValue>>,
): Record<string, JsonValue> {
  const all = Object.keys(STREAM_DATA[type].properties);
  const names = all.filter((name) => !OF_RECORD.includes(name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = disclosed[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

export function describeAnnouncement(row: AnnouncementRow): LogItem {
  const { seq, type } = row;
  const placed = { log: 'announcements', seq, time: row.created_at } as const;
  if (!isStreamType(type) || !ANNOUNCED_TYPES.includes(type)) return { ...placed, event: null };
  const data = checkObject(JSON.parse(row.data));
  return { ...placed, event: { type, data, decisionId: decisionOf(data), agentId: null } };
}

function decisionOf({ decision_id }: Readonly<Record<string, JsonValue>>): string | null {
  return typeof decision_id === 'string' ? idToUuid('dec', decision_id) : null;
}
