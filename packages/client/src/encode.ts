import type { BatchDecision } from './api/decision.js';

/** A decision to record. Its idempotency key makes a repeated call harmless; default: a random one. */
export type DecisionToRecord = BatchDecision;

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
}

/** Marks a decision whose payload was dropped: an empty payload may also be what was decided on. */
const DROPPED_MARK = 'ledger_payload_dropped';

/**
 * Encodes a decision as it is at this moment. A payload that is no JSON, or whose mask throws, is
 * dropped; the decision is kept.
 * @throws TypeError if it is not an object
 */
export function encodeDecision(decision: DecisionToRecord, tools: EncodeTools): Encoded {
  if (!isObject(decision)) {
    throw new TypeError('a decision is an object with agent_id, action_type and so on');
  }
  const { mask } = tools;
  let reason = 'not_serializable';
  let text: string;
  let dropped: Encoded['dropped'] = null;
  try {
    text = JSON.stringify(decision);
    reason = 'mask_failed';
    if (mask !== null) text = maskedText(text, decision, mask);
  } catch (error) {
    dropped = { reason, error };
    text = JSON.stringify(withoutPayload(decision, reason));
  }
  return { ...withKeyAndTime(wellFormed(text), decision, tools), dropped };
}

/** The mask sees what would be sent: what a toJSON returns must not escape it. */
function maskedText(
  text: string,
  decision: DecisionToRecord,
  mask: (decision: Record<string, unknown>) => unknown,
): string {
  const copy: unknown = JSON.parse(text);
  if (!isObject(copy)) throw new TypeError('a decision is an object');
  const { idempotency_key, timestamp } = copy;
  const masked = mask(copy);
  if (!isObject(masked)) throw new TypeError('the mask returned no object');
  if (typeof masked.then === 'function') throw new TypeError('the mask must not be async');
  return JSON.stringify({ ...heads(decision), ...masked, idempotency_key, timestamp });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A fixed confidence stays marked as one: otherwise the service would take it for an estimate. */
function withoutPayload(decision: DecisionToRecord, reason: string): DecisionToRecord {
  const isFixed = decision.metadata?.confidence_source === 'fixed';
  const metadata = {
    [DROPPED_MARK]: reason,
    ...(isFixed && { confidence_source: 'fixed' }),
  };
  return { ...heads(decision), inputs: {}, outputs: {}, metadata };
}

/** The members of a decision that are no payload. */
function heads(decision: DecisionToRecord): Omit<DecisionToRecord, 'inputs' | 'outputs'> {
  const { agent_id, action_type, confidence, human_in_loop, timestamp, idempotency_key } = decision;
  return {
    ...{ agent_id, action_type, confidence },
    ...(human_in_loop !== undefined && { human_in_loop }),
    ...(timestamp !== undefined && { timestamp }),
    ...(idempotency_key !== undefined && { idempotency_key }),
  };
}

/** An escape of U+0000 or of half a surrogate pair, as JSON.stringify writes them. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Replaces characters that the ledger cannot store, such as half of an emoji that was cut. */
function wellFormed(text: string): string {
  if (!UNSTORABLE.test(text)) return text;
  // An escaped backslash before `u0000` is no escape: pairs of backslashes are skipped.
  return text.replace(/\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g, (found) =>
    found === '\\\\' ? found : '\ufffd',
  );
}

function withKeyAndTime(
  text: string,
  { idempotency_key, timestamp }: DecisionToRecord,
  { newKey, now }: EncodeTools,
): Pick<Encoded, 'json' | 'isStamped'> {
  const isKeyed = newKey !== null && idempotency_key === undefined;
  const key = isKeyed ? `"idempotency_key":"${newKey()}",` : '';
  const isStamped = now !== null && timestamp === undefined;
  const time = isStamped ? `"timestamp":"${new Date(now()).toISOString()}",` : '';
  if (text === '{}') throw new TypeError('the decision is empty');
  return { json: `{${key}${time}${text.slice(1)}`, isStamped };
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
