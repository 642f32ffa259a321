import {
  CONFIDENCE_ATTRIBUTE,
  OTLP_RULE_DEFAULTS,
  type OtlpRule,
  type OtlpSettings,
} from '@decision-ledger/contract/otlp-settings';
import type { JsonValue } from '@decision-ledger/proof/gate';
import { type Span, SpanError } from './span.js';

/** The rules of the GenAI semantic conventions 1.45: tool calls are decisions, turns of a model are not. */
const PRESETS: Readonly<Record<OtlpSettings['preset'], readonly OtlpRule[]>> = {
  none: [],
  'gen_ai_1.45': [{ ...OTLP_RULE_DEFAULTS, operation: 'execute_tool' }],
};

/** Which spans are decisions. */
export interface Mapping {
  readonly version: number;
  readonly rules: readonly OtlpRule[];
  readonly mask: readonly string[];
}

/** @returns null if the settings name no rule: spans are not accepted */
export function mappingOf({ version, preset, rules, mask }: OtlpSettings): Mapping | null {
  const all = [...rules, ...PRESETS[preset]];
  return all.length === 0 ? null : { version, rules: all, mask };
}

/** The first rule that applies to a span; undefined if it is no decision. */
export function ruleFor({ rules }: Mapping, span: Span): OtlpRule | undefined {
  return rules.find((rule) => applies(rule, span));
}

function applies({ operation, span_name, attribute, value }: OtlpRule, span: Span): boolean {
  const { attributes } = span;
  if (operation !== undefined && attributes.get('gen_ai.operation.name') !== operation)
    return false;
  if (span_name !== undefined && !isNamed(span.name, span_name)) return false;
  if (attribute === undefined) return true;
  const found = attributes.get(attribute);
  return found !== undefined && (value === undefined || String(found) === value);
}

function isNamed(name: string, wanted: string): boolean {
  return wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}

/** What the attributes of an evaluation event are called in the GenAI semantic conventions. */
const EVALUATION = {
  event: 'gen_ai.evaluation.result',
  name: 'gen_ai.evaluation.name',
  score: 'gen_ai.evaluation.score.value',
};

/** A confidence and where it is from, as `metadata.confidence_source` says it. */
export interface SpanConfidence {
  readonly confidence: number;
  readonly source: 'attribute' | 'evaluation' | 'fixed';
}

/** The first text that one of the sources has; undefined if none has any. */
export function readText(sources: readonly string[], span: Span): string | undefined {
  for (const source of sources) {
    const value = readSource(source, span);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

/** The value at a source of text or metadata; undefined if it is absent. */
export function readSource(source: string, span: Span): JsonValue | undefined {
  if (source === 'span:name') return span.name;
  const [, kind, name = ''] = /^(fixed|resource):(.*)$/s.exec(source) ?? [];
  if (kind === 'fixed') return name;
  return kind === 'resource' ? span.resource.get(name) : span.attributes.get(source);
}

/** @throws SpanError if no source has a confidence, or the first that has one is not from 0 to 1 */
export function readConfidence(sources: readonly string[], span: Span): SpanConfidence {
  for (const source of sources) {
    const [, kind, rest = ''] = /^(fixed|evaluation):(.*)$/s.exec(source) ?? [];
    if (kind === 'fixed') return { confidence: Number(rest), source: kind };
    const isScore = kind === 'evaluation';
    const value = isScore ? readScore(rest, span) : span.attributes.get(source);
    if (value === undefined) continue;
    const confidence = isScore || typeof value === 'number' ? value : readNumber(value);
    if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1)) {
      throw new SpanError(`${source} is ${shown(value)}: a confidence is a number from 0 to 1`);
    }
    return { confidence, source: isScore ? 'evaluation' : 'attribute' };
  }
  const attribute =
    sources.find((source) => !source.startsWith('evaluation:')) ?? CONFIDENCE_ATTRIBUTE;
  throw new SpanError(
    `it states no confidence: add span.setAttribute('${attribute}', 0.9) with what the agent knows, or ` +
      'the setting "confidence": ["fixed:0.8"] to its rule',
  );
}

/** Some SDKs have attributes of text alone. */
function readNumber(value: JsonValue): number | null {
  const isDecimal = typeof value === 'string' && /^(?:0|1)(?:\.[0-9]{1,17})?$/.test(value);
  return isDecimal ? Number(value) : null;
}

function shown(value: JsonValue): string {
  return JSON.stringify(value).slice(0, 50);
}

/** The score of the last event that evaluates this, or else of the span itself. */
function readScore(evaluation: string, { events, attributes }: Span): JsonValue | undefined {
  const stated = events.filter(({ name }) => name === EVALUATION.event);
  const named = [{ attributes }, ...stated].filter(
    (one) => one.attributes.get(EVALUATION.name) === evaluation,
  );
  return named.at(-1)?.attributes.get(EVALUATION.score);
}

/** @throws SpanError if the first attribute that is present is neither true nor false */
export function readOversight(attributes: readonly string[], span: Span): boolean {
  for (const name of attributes) {
    const value = span.attributes.get(name);
    if (value === undefined) continue;
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    throw new SpanError(`${name} is ${shown(value)}: it must be true or false`);
  }
  return false;
}
