import type { BatchDecision } from './api/decision.js';
import type { JsonMembers } from './values/degrade.js';
import { copyPayload, isAt, objectAt, type PayloadCopy, withMarks } from './values/payload.js';

/**
 * A decision to record. Its idempotency key makes a repeated call harmless; default: a random one. The payload may be
 * of any type of the application, also an interface: it is copied as JSON.
 */
export interface DecisionToRecord extends Omit<BatchDecision, Payload> {
  readonly inputs: object;
  readonly outputs: object;
  /** Actions that were considered but not chosen. */
  readonly alternatives?: readonly object[];
  readonly metadata?: object;
}

type Payload = 'inputs' | 'outputs' | 'alternatives' | 'metadata';

/** A decision as it is queued, stored and sent. */
export interface Entry {
  /** A member of `decisions` in `POST /decisions/batch`. */
  readonly json: string;
  /** Size of `json` in UTF-8. */
  readonly bytes: number;
  /** Whether the timestamp is the client's own, so that it may be left out. */
  readonly isStamped: boolean;
  /** What stands in its place while it is sent; absent for the decision as it was recorded. */
  readonly instead?: Instead;
  /** Whether its large fields are uploaded anew: the service no longer has what they named. Default: false. */
  readonly isRenewed?: boolean;
}

/**
 * Another form of a decision. `late`: the service refused its age, so the time is in the metadata.
 * `unstamped`: without the time of this machine.
 */
export interface Instead {
  readonly form: 'late' | 'unstamped';
  readonly json: string;
}

/** The text of a decision, and why its payload was dropped, if it was. */
export interface Encoded {
  readonly json: string;
  readonly isStamped: boolean;
  readonly dropped: { readonly reason: string; readonly error: unknown } | null;
}

export interface EncodeTools {
  readonly mask: ((decision: Record<string, unknown>) => unknown) | null;
  /** Returns a new idempotency key of characters that need no escape. Null: add none. */
  readonly newKey: (() => string) | null;
  /** ms since the epoch. Null: add no timestamp. */
  readonly now: (() => number) | null;
  /** Hashes bytes, as hexadecimal. */
  readonly sha256: (bytes: Uint8Array) => string;
}

/** Marks a decision whose payload was dropped: an empty payload may also be what was decided on. */
const DROPPED_MARK = 'ledger_payload_dropped';

/**
 * Encodes a decision as it is at this moment. A value that is no JSON is degraded alone; if the mask throws, the
 * payload is dropped and the decision kept.
 * @throws TypeError if it is not an object with members
 */
export function encodeDecision(decision: DecisionToRecord, tools: EncodeTools): Encoded {
  const { mask, sha256 } = tools;
  const copy = copyPayload(decision, sha256);
  if (copy === null || Object.keys(copy.members).length === 0) {
    throw new TypeError('a decision is an object with agent_id, action_type and so on');
  }
  if (mask === null) return { ...withKeyAndTime(withMarks(copy), tools), dropped: null };
  const kept = keptOf(copy.members);
  try {
    const members = withMarks(masked(copy, kept, mask, sha256));
    return { ...withKeyAndTime(members, tools), dropped: null };
  } catch (error) {
    const members = { ...kept.heads, ...kept.fixed, ...kept.withoutPayload };
    return { ...withKeyAndTime(members, tools), dropped: { reason: 'mask_failed', error } };
  }
}

/** The mask sees what would be sent: what a toJSON returns must not escape it. */
function masked(
  copy: PayloadCopy,
  { heads, fixed }: Kept,
  mask: NonNullable<EncodeTools['mask']>,
  sha256: EncodeTools['sha256'],
): PayloadCopy {
  const result = mask(copy.members);
  if (!isObject(result)) throw new TypeError('the mask returned no object');
  if (typeof result.then === 'function') throw new TypeError('the mask must not be async');
  const { idempotency_key, timestamp, ...given } = result;
  const found = copyPayload({ ...heads, ...given, ...fixed }, sha256);
  if (found === null) throw new TypeError('the mask returned no object');
  copy.marks.keep((names) => isAt(found.members, names));
  found.marks.join(copy.marks);
  return found;
}

/** What a mask cannot change or lose. */
interface Kept {
  readonly heads: JsonMembers;
  readonly fixed: JsonMembers;
  /** In place of a payload whose mask failed. */
  readonly withoutPayload: JsonMembers;
}

const HEADS = ['agent_id', 'action_type', 'confidence', 'human_in_loop'];
const FIXED = ['timestamp', 'idempotency_key'];

/** A fixed confidence stays marked as one: otherwise the service would take it for an estimate. */
function keptOf(decision: JsonMembers): Kept {
  const only = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(decision).filter(([name]) => names.includes(name)));
  const isFixed = objectAt(decision, 'metadata').confidence_source === 'fixed';
  const metadata = {
    [DROPPED_MARK]: 'mask_failed',
    ...(isFixed && { confidence_source: 'fixed' }),
  };
  return {
    heads: only(HEADS),
    fixed: only(FIXED),
    withoutPayload: { inputs: {}, outputs: {}, metadata },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withKeyAndTime(
  decision: JsonMembers,
  { newKey, now }: EncodeTools,
): Pick<Encoded, 'json' | 'isStamped'> {
  const isKeyed = newKey !== null && decision.idempotency_key === undefined;
  const key = isKeyed ? `"idempotency_key":"${newKey()}",` : '';
  const isStamped = now !== null && decision.timestamp === undefined;
  const time = isStamped ? `"timestamp":"${new Date(now()).toISOString()}",` : '';
  return { json: `{${key}${time}${JSON.stringify(decision).slice(1)}`, isStamped };
}

const STAMP = /^(\{(?:"idempotency_key":"[^"\\]*",)?)"timestamp":"[^"\\]*",/;

/** The text of a stamped decision without its timestamp. */
export function withoutStamp(json: string): string {
  return json.replace(STAMP, '$1');
}

/** The member of the metadata that has the time of a decision which is recorded too late for its timestamp. */
const DECIDED_AT = 'decided_at';

/**
 * The text of a decision with its time in the metadata. The same decision always makes the same text, so
 * that a repeat by another process is known by its key.
 * @returns null without a timestamp
 */
export function withDecidedAt(json: string): string | null {
  const decision: unknown = JSON.parse(json);
  if (!isObject(decision) || typeof decision.timestamp !== 'string') return null;
  const { timestamp, metadata, ...rest } = decision;
  const others = isObject(metadata) ? metadata : {};
  return JSON.stringify({ ...rest, metadata: { ...others, [DECIDED_AT]: timestamp } });
}
