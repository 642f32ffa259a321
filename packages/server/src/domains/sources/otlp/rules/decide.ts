import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LIMITS } from '@decision-ledger/contract/limits';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { GateError, type JsonValue, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import { shown } from './confidence.js';
import type { Mapping, PayloadSource, Rule } from './mapping.js';
import { type Members, maskPayload, type SpanPayload } from './mask.js';
import { firstOf, type ReadSource, structureOf } from './source.js';
import { type Refused, type Span, SpanError, truncateText, type UnreadableSpan } from './span.js';
import { modelOf } from './usage.js';

/** A span that is a decision. */
export interface SpanDecision {
  readonly body: DecisionBody;
  /** The same however often, and in whatever batch, the span is sent. */
  readonly key: string;
}

/** A span that a rule applies to, and that cannot be recorded. */
export interface RefusedSpan extends UnreadableSpan {
  readonly reason: Refused;
}

/** Why a span is no decision: no rule applies to it, or its instrumentation captured no content. */
export const IGNORED = ['no_rule', 'no_content'] as const;
export type Ignored = (typeof IGNORED)[number];

const MAX_NAME = 200;
/** Attributes of this prefix are members of the metadata, with any rule. */
const METADATA_PREFIX = 'decision_ledger.metadata.';

/**
 * Reads the decision that a span is.
 * @param rule the one that applies to it
 * @param now ms
 */
export function decisionOfSpan(
  mapping: Mapping,
  rule: Rule,
  span: Span,
  now: number,
): SpanDecision | RefusedSpan | 'no_content' {
  try {
    return readDecision(mapping, rule, span, now);
  } catch (error) {
    if (!(error instanceof SpanError)) throw error;
    const problem = `span ${span.spanId} (${truncateText(span.name, 100)}): ${error.message}`;
    return { problem, reason: error.field };
  }
}

function readDecision(
  mapping: Mapping,
  rule: Rule,
  span: Span,
  now: number,
): SpanDecision | 'no_content' {
  const unreadable = new Set<JsonValue>();
  const [inputs, outputs] = [rule.inputs, rule.outputs].map((sources) =>
    readPayload(sources, span, unreadable),
  );
  const hasContent = inputs !== null || outputs !== null || span.hasFailed;
  if (rule.needsContent && !hasContent) return 'no_content';
  requireId('trace', span.traceId, 32);
  requireId('span', span.spanId, 16);
  const { confidence, source } = rule.confidence(span, inputs ?? {});
  const payload: SpanPayload = {
    inputs: inputs ?? {},
    outputs: withFailure(outputs ?? {}, span),
    metadata: readMetadata(rule, span, { source, version: mapping.version }),
  };
  maskPayload(payload, mapping.mask, unreadable);
  const body = {
    agent_id: requireName('agent_id', readText(rule.agentId, span)),
    action_type: requireName('action_type', readText(rule.actionType, span)),
    ...payload,
    confidence,
    human_in_loop: readOversight(rule.oversight, span),
    timestamp: formatTimestamp(timeOf(span, now)),
  };
  return { body: faithful(body), key: `otlp:${span.traceId}:${span.spanId}` };
}

function requireId(what: string, id: string, digits: number): void {
  if (id.length === digits && /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id)) return;
  throw new SpanError(`its ${what} id must be ${digits} hexadecimal digits, not all zeros`, 'ids');
}

function requireName(field: 'agent_id' | 'action_type', text: string | undefined): string {
  if (text === undefined) {
    throw new SpanError(
      `it has no attribute for ${field}: set one that its rule lists under ${field}, or add another there`,
      field,
    );
  }
  if (text.length <= MAX_NAME) return text;
  throw new SpanError(`its ${field} is longer than ${MAX_NAME} characters`, field);
}

function timeOf({ start }: Span, now: number): number {
  const ms = Number(start / 1_000_000n);
  if (ms === 0) throw new SpanError('its start time is missing', 'timestamp');
  if (ms <= now + LIMITS.futureMs) return ms;
  throw new SpanError('its start time is more than 5 minutes in the future', 'timestamp');
}

/** The first text that one of the sources has; undefined if none has any. */
function readText(sources: readonly ReadSource[], span: Span): string | undefined {
  for (const read of sources) {
    const value = read(span);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

/** @throws SpanError if the first value that is present is neither true nor false */
function readOversight(sources: Rule['oversight'], span: Span): boolean {
  for (const [name, read] of sources) {
    const value = read(span);
    if (value === undefined) continue;
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    throw new SpanError(`${name} is ${shown(value)}: it must be true or false`, 'human_in_loop');
  }
  return false;
}

/**
 * An object in the only place is the payload itself; other values stand under their names.
 * @param unreadable receives texts that are not JSON
 * @returns null if no place has a value
 */
function readPayload(
  sources: readonly PayloadSource[],
  span: Span,
  unreadable: Set<JsonValue>,
): Members | null {
  const found = sources.flatMap(({ name, readers }): [string, JsonValue][] => {
    const value = firstOf(readers, span);
    return value === undefined ? [] : [[name, readStructure(name, value, unreadable)]];
  });
  const [only] = found;
  const whole = sources.length === 1 ? only?.[1] : undefined;
  if (isMembers(whole)) return whole;
  return found.length === 0 ? null : Object.fromEntries(found);
}

function readStructure(name: string, value: JsonValue, unreadable: Set<JsonValue>): JsonValue {
  if (typeof value !== 'string') return value;
  if (value.length > LIMITS.payloadFieldBytes) {
    const problem = `${name} is longer than ${LIMITS.payloadFieldBytes} characters`;
    throw new SpanError(problem, 'payload');
  }
  const structure = structureOf(value);
  if (structure === value) unreadable.add(value);
  return structure;
}

function isMembers(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An exception that the span recorded says what failed without the stack that some put into the status. */
function withFailure(outputs: Members, span: Span): Members {
  if (!span.hasFailed || Object.hasOwn(outputs, 'error')) return outputs;
  const exception = span.events.findLast(({ name }) => name === 'exception')?.attributes;
  const type = span.attributes.get('error.type') ?? exception?.get('exception.type') ?? 'error';
  const message = exception?.get('exception.message') ?? span.statusMessage;
  return { ...outputs, error: { type, message } };
}

/** What the span says of its end. The span of a tool that has no error ended with a result, which may say otherwise. */
function outcomeOf({ preset }: Rule, { hasFailed, attributes }: Span): 'failed' | 'done' | null {
  if (hasFailed) return 'failed';
  const isTool = preset !== null || attributes.get('gen_ai.operation.name') === 'execute_tool';
  return isTool ? 'done' : null;
}

/** The ids of the GenAI semantic conventions that stand in the metadata, with their names there. */
const IDS = {
  'gen_ai.conversation.id': 'conversation_id',
  'gen_ai.tool.call.id': 'tool_call_id',
  'decision_ledger.reviewer_id': 'reviewer_id',
};

function readMetadata(
  rule: Rule,
  span: Span,
  { source, version }: { readonly source: string; readonly version: number },
): SpanPayload['metadata'] {
  const metadata = new Map<string, JsonValue>(Object.entries(modelOf(span)));
  const outcome = outcomeOf(rule, span);
  if (outcome !== null) metadata.set('outcome', outcome);
  for (const [attribute, name] of Object.entries(IDS)) {
    const value = span.attributes.get(attribute);
    if (value !== undefined) metadata.set(name, value);
  }
  for (const [name, value] of span.attributes) {
    if (name.startsWith(METADATA_PREFIX)) metadata.set(name.slice(METADATA_PREFIX.length), value);
  }
  for (const [name, read] of rule.metadata) {
    const value = read(span);
    if (value !== undefined) metadata.set(name, value);
  }
  return {
    ...Object.fromEntries(metadata),
    trace_id: span.traceId,
    span_id: span.spanId,
    confidence_source: source,
    otlp_mapping: version,
    ...(rule.preset !== null && { otlp_preset: rule.preset }),
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
    throw new SpanError(`${error.path}: ${error.message}`, 'payload');
  }
}
