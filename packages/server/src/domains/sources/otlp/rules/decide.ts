import {
  copyPayload,
  isAt,
  MarkedText,
  objectAt,
  Pairs,
  type PayloadCopy,
  withMarks,
} from '@decision-ledger/client/values';
import type { DecisionBody } from '@decision-ledger/contract/decision';
import { LIMITS } from '@decision-ledger/contract/limits';
import { formatTimestamp } from '@decision-ledger/contract/time';
import type { UploadableField } from '@decision-ledger/contract/upload';
import { shown } from './confidence.js';
import { type LargeField, largeFields, sha256, type WholeTexts } from './large.js';
import type { Mapping, PayloadSource, Rule } from './mapping.js';
import { MASKED, maskPayload } from './mask.js';
import { firstOf, type ReadSource, structureOf } from './source.js';
import { type Refused, type Span, SpanError, truncateText, type UnreadableSpan } from './span.js';
import { modelOf } from './usage.js';

/** A span that is a decision. */
export interface SpanDecision {
  readonly body: DecisionBody;
  /** Of its fields, those that are too large for it. */
  readonly large: readonly LargeField[];
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
  const { mask, masked } = mapping;
  const inputs = readPayload(rule.inputs, span, masked.has('inputs'));
  const outputs = readPayload(rule.outputs, span, masked.has('outputs'));
  const hasContent = inputs !== null || outputs !== null || span.hasFailed;
  if (rule.needsContent && !hasContent) return 'no_content';
  requireId('trace', span.traceId, 32);
  requireId('span', span.spanId, 16);
  const names = {
    agent_id: requireName('agent_id', readText(rule.agentId, span)),
    action_type: requireName('action_type', readText(rule.actionType, span)),
  };
  const payload = { inputs: inputs ?? {}, outputs: outputs ?? {} };
  const copy = copyOf({ ...names, ...payload, metadata: readMetadata(rule, span) }, span);
  const { confidence, source } = rule.confidence(span, copy.members.inputs);
  maskPayload(copy.members, mask);
  copy.marks.keep((path) => isAt(copy.members, path));
  const held = withMarks(copy);
  const body = {
    agent_id: String(held.agent_id),
    action_type: String(held.action_type),
    inputs: objectAt(held, 'inputs'),
    outputs: objectAt(held, 'outputs'),
    metadata: { ...objectAt(held, 'metadata'), ...originOf(mapping, rule, span, source) },
    confidence,
    human_in_loop: readOversight(rule.oversight, span),
    timestamp: formatTimestamp(timeOf(span, now)),
  };
  const large = largeFields(body, {
    ...wholeText('inputs', rule.inputs, body.inputs),
    ...wholeText('outputs', rule.outputs, body.outputs),
  });
  return { body, large, key: `otlp:${span.traceId}:${span.spanId}` };
}

function requireId(what: string, id: string, digits: number): void {
  if (id.length === digits && /^[0-9a-f]+$/.test(id) && !/^0+$/.test(id)) return;
  throw new SpanError(`its ${what} id must be ${digits} hexadecimal digits, not all zeros`, 'ids');
}

type Name = string | MarkedText;

function requireName(field: 'agent_id' | 'action_type', name: Name | undefined): Name {
  if (name === undefined) {
    throw new SpanError(
      `it has no attribute for ${field}: set one that its rule lists under ${field}, or add another there`,
      field,
    );
  }
  const { length } = typeof name === 'string' ? name : name.text;
  if (length <= MAX_NAME) return name;
  throw new SpanError(`its ${field} is longer than ${MAX_NAME} characters`, field);
}

function timeOf({ start }: Span, now: number): number {
  const ms = Number(start / 1_000_000n);
  if (ms === 0) throw new SpanError('its start time is missing', 'timestamp');
  if (ms <= now + LIMITS.futureMs) return ms;
  throw new SpanError('its start time is more than 5 minutes in the future', 'timestamp');
}

/** The first text that one of the sources has; undefined if none has any. */
function readText(sources: readonly ReadSource[], span: Span): Name | undefined {
  for (const read of sources) {
    const value = read(span);
    if (value instanceof MarkedText || (typeof value === 'string' && value !== '')) return value;
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
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
 * @param isMasked whether a text that is no JSON is replaced: it may hold what a path of the mask names
 * @returns null if no place has a value
 */
function readPayload(
  sources: readonly PayloadSource[],
  span: Span,
  isMasked: boolean,
): object | null {
  const found = sources.flatMap(({ name, readers }): [string, unknown][] => {
    const value = firstOf(readers, span);
    return value === undefined ? [] : [[name, readStructure(value, isMasked)]];
  });
  const [only] = found;
  const whole = sources.length === 1 ? only?.[1] : undefined;
  if (isMembers(whole)) return whole;
  return found.length === 0 ? null : Object.fromEntries(found);
}

function readStructure(value: unknown, isMasked: boolean): unknown {
  if (value instanceof MarkedText && isMasked) return MASKED;
  if (typeof value !== 'string') return value;
  const structure = structureOf(value);
  return structure === value && isMasked ? MASKED : structure;
}

/** The text that a field is, if nothing else was read for it. */
function wholeText(
  field: UploadableField,
  [source, ...others]: readonly PayloadSource[],
  value: DecisionBody['inputs'],
): WholeTexts {
  const text = source !== undefined && others.length === 0 ? value[source.name] : undefined;
  const isAll = typeof text === 'string' && Object.keys(value).length === 1;
  return isAll ? { [field]: text } : {};
}

function isMembers(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof Pairs || Object.getPrototypeOf(value) === Object.prototype;
}

/** What was read, as a decision can hold it. What the span says of its failure becomes a part of the outputs. */
function copyOf(read: object, span: Span): PayloadCopy {
  const copy = copyPayload({ ...read, error: failureOf(span) }, sha256);
  if (copy === null) throw new TypeError('what was read of a span is no object');
  const { marks } = copy;
  const { error, ...members } = copy.members;
  const outputs = objectAt(members, 'outputs');
  if (error !== undefined && !Object.hasOwn(outputs, 'error')) {
    members.outputs = { ...outputs, error };
    marks.move('/error', '/outputs/error');
  }
  return { members, marks };
}

/** An exception that the span recorded says what failed without the stack that some put into the status. */
function failureOf({ hasFailed, events, attributes, statusMessage }: Span): object | undefined {
  if (!hasFailed) return undefined;
  const exception = events.findLast(({ name }) => name === 'exception')?.attributes;
  const type = attributes.get('error.type') ?? exception?.get('exception.type') ?? 'error';
  const message = exception?.get('exception.message') ?? statusMessage;
  return { type, message };
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

/** What the span and its rule say beside inputs and outputs. */
function readMetadata(rule: Rule, span: Span): object {
  const metadata = new Map<string, unknown>(Object.entries(modelOf(span)));
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
  return metadata;
}

/** Where a decision is from. */
function originOf(
  { version }: Mapping,
  { preset }: Rule,
  { traceId, spanId }: Span,
  confidence_source: string,
) {
  return {
    ...{ trace_id: traceId, span_id: spanId, confidence_source, otlp_mapping: version },
    ...(preset !== null && { otlp_preset: preset }),
  };
}
