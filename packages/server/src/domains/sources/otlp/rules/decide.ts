import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LIMITS } from '@decision-ledger/contract/limits';
import type { OtlpRule } from '@decision-ledger/contract/otlp-settings';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { GateError, type JsonValue, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import {
  type Mapping,
  readConfidence,
  readOversight,
  readSource,
  readText,
  ruleFor,
} from './mapping.js';
import { type Span, SpanError, truncateText, type UnreadableSpan } from './span.js';

/** A span that is a decision. */
export interface SpanDecision {
  readonly body: DecisionBody;
  /** The same however often, and in whatever batch, the span is sent. */
  readonly key: string;
}

const MAX_NAME = 200;
/** Attributes of this prefix are members of the metadata, with any rule. */
const METADATA_PREFIX = 'decision_ledger.metadata.';

/**
 * Reads the decision that a span is.
 * @param now ms
 * @returns null if the span is no decision
 */
export function decisionOfSpan(
  mapping: Mapping,
  span: Span,
  now: number,
): SpanDecision | UnreadableSpan | null {
  const rule = ruleFor(mapping, span);
  if (rule === undefined) return null;
  try {
    return readDecision(mapping, rule, span, now);
  } catch (error) {
    if (!(error instanceof SpanError)) throw error;
    return { problem: `span ${span.spanId} (${truncateText(span.name, 100)}): ${error.message}` };
  }
}

function readDecision(mapping: Mapping, rule: OtlpRule, span: Span, now: number): SpanDecision {
  requireId('trace', span.traceId, 32);
  requireId('span', span.spanId, 16);
  const { confidence, source } = readConfidence(rule.confidence, span);
  const unreadable = new Set<JsonValue>();
  const payload: SpanPayload = {
    inputs: readPayload(rule.inputs, span, unreadable),
    outputs: withFailure(readPayload(rule.outputs, span, unreadable), span),
    metadata: readMetadata(rule, span, { source, version: mapping.version }),
  };
  maskPayload(payload, mapping.mask, unreadable);
  const body = {
    agent_id: requireName('agent_id', readText(rule.agent_id, span)),
    action_type: requireName('action_type', readText(rule.action_type, span)),
    ...payload,
    confidence,
    human_in_loop: readOversight(rule.human_in_loop, span),
    timestamp: formatTimestamp(timeOf(span, now)),
  };
  return { body: faithful(body), key: `otlp:${span.traceId}:${span.spanId}` };
}

function requireId(what: string, id: string, digits: number): void {
  if (id.length === digits && /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id)) return;
  throw new SpanError(`its ${what} id must be ${digits} hexadecimal digits, not all zeros`);
}

function requireName(field: string, text: string | undefined): string {
  if (text === undefined) {
    throw new SpanError(
      `it has no attribute for ${field}: set one that its rule lists under ${field}, or add another there`,
    );
  }
  if (text.length <= MAX_NAME) return text;
  throw new SpanError(`its ${field} is longer than ${MAX_NAME} characters`);
}

function timeOf({ start }: Span, now: number): number {
  const ms = Number(start / 1_000_000n);
  if (ms === 0) throw new SpanError('its start time is missing');
  if (ms <= now + LIMITS.futureMs) return ms;
  throw new SpanError('its start time is more than 5 minutes in the future');
}

/**
 * An object in the only attribute is the payload itself; other values stand under their names.
 * @param unreadable receives texts that are not JSON
 */
function readPayload(
  names: readonly string[],
  { attributes }: Span,
  unreadable: Set<JsonValue>,
): SpanPayload['inputs'] {
  const found = names.flatMap((name): [string, JsonValue][] => {
    const value = attributes.get(name);
    return value === undefined ? [] : [[name, readStructure(name, value, unreadable)]];
  });
  const [only] = found;
  const whole = names.length === 1 ? only?.[1] : undefined;
  return isMembers(whole) ? whole : Object.fromEntries(found);
}

/** Attributes of many SDKs hold no objects, so objects and lists arrive as JSON texts. */
function readStructure(name: string, value: JsonValue, unreadable: Set<JsonValue>): JsonValue {
  if (typeof value !== 'string') return value;
  if (value.length > LIMITS.payloadFieldBytes) {
    throw new SpanError(`${name} is longer than ${LIMITS.payloadFieldBytes} characters`);
  }
  try {
    if (/^\s*[[{]/.test(value)) return parseJson(value, MAX_DEPTH - 1);
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
  }
  unreadable.add(value);
  return value;
}

function isMembers(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withFailure(outputs: SpanPayload['outputs'], span: Span): SpanPayload['outputs'] {
  if (!span.hasFailed || Object.hasOwn(outputs, 'error')) return outputs;
  const type = span.attributes.get('error.type') ?? 'error';
  return { ...outputs, error: { type, message: span.statusMessage } };
}

/** What the span says of its end. The span of a tool that has no error ended with a result, which may say otherwise. */
function outcomeOf({ hasFailed, attributes }: Span): 'failed' | 'done' | null {
  if (hasFailed) return 'failed';
  return attributes.get('gen_ai.operation.name') === 'execute_tool' ? 'done' : null;
}

/** The ids of the GenAI semantic conventions that stand in the metadata, with their names there. */
const IDS = {
  'gen_ai.conversation.id': 'conversation_id',
  'gen_ai.tool.call.id': 'tool_call_id',
  'gen_ai.request.model': 'model',
  'decision_ledger.reviewer_id': 'reviewer_id',
};

function readMetadata(
  rule: OtlpRule,
  span: Span,
  { source, version }: { readonly source: string; readonly version: number },
): SpanPayload['metadata'] {
  const metadata = new Map<string, JsonValue>();
  const outcome = outcomeOf(span);
  if (outcome !== null) metadata.set('outcome', outcome);
  for (const [attribute, name] of Object.entries(IDS)) {
    const value = span.attributes.get(attribute);
    if (value !== undefined) metadata.set(name, value);
  }
  for (const [name, value] of span.attributes) {
    if (name.startsWith(METADATA_PREFIX)) metadata.set(name.slice(METADATA_PREFIX.length), value);
  }
  for (const [name, from] of Object.entries(rule.metadata)) {
    const value = readSource(from, span);
    if (value !== undefined) metadata.set(name, value);
  }
  return {
    ...Object.fromEntries(metadata),
    trace_id: span.traceId,
    span_id: span.spanId,
    confidence_source: source,
    otlp_mapping: version,
  };
}

/**
 * The body as it would arrive in a request of its own, so that the same values are refused.
 * @throws SpanError
 */
function faithful<Body extends object>(body: Body): Body {
  try {
    parseJson(JSON.stringify(body), MAX_DEPTH + 1);
    return body;
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    throw new SpanError(`${error.path}: ${error.message}`);
  }
}

type Members = { [name: string]: JsonValue };

/** The payload of a decision that was read from a span. */
export interface SpanPayload {
  inputs: Members;
  outputs: Members;
  metadata: Members;
}

const MASKED = '[masked]';

/**
 * Replaces what paths such as `inputs.card.number` name, in place; `*` is any name or element. Texts
 * that were not readable as JSON may hold what a path below them names, so they are replaced whole.
 */
function maskPayload(
  payload: SpanPayload,
  paths: readonly string[],
  unreadable: ReadonlySet<JsonValue>,
): void {
  for (const path of paths) {
    const [field = '', ...names] = path.split('.');
    const part = new Map<string, Members>(Object.entries(payload)).get(field);
    if (part === undefined) continue;
    replace(part, names);
    replaceTexts(part, unreadable);
  }
}

function replace(node: JsonValue, names: readonly string[]): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, rest] of matches(node, names)) {
    if (rest.length === 0) Reflect.set(node, key, MASKED);
    else replace(Reflect.get(node, key), rest);
  }
}

/** The members that the beginning of a path names, each with the rest: names of attributes have points. */
function matches(node: object, names: readonly string[]): (readonly [string, readonly string[]])[] {
  if (names[0] === '*') return Object.keys(node).map((key) => [key, names.slice(1)] as const);
  return names.flatMap((_, index) => {
    const key = names.slice(0, index + 1).join('.');
    return Object.hasOwn(node, key) ? [[key, names.slice(index + 1)] as const] : [];
  });
}

function replaceTexts(part: Members, texts: ReadonlySet<JsonValue>): void {
  for (const [name, value] of Object.entries(part)) {
    if (texts.has(value)) part[name] = MASKED;
  }
}
