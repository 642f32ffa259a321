import { degrade } from '@decision-ledger/client/values';
import { CONFIDENCE_ATTRIBUTE } from '@decision-ledger/contract/otlp-settings';
import { memberOf, sourceReader } from './source.js';
import { type Span, SpanError } from './span.js';

/** A confidence and where it is from, as `metadata.confidence_source` says it. */
export interface SpanConfidence {
  readonly confidence: number;
  readonly source: 'attribute' | 'argument' | 'evaluation' | 'fixed';
}

/** Reads a confidence from a span and the inputs that were read from it. */
export type ReadConfidence = (span: Span, inputs: unknown) => SpanConfidence;

/**
 * Makes the function that reads the first source that has a confidence.
 * @throws SpanError when none has any, or the first that states one states no number from 0 to 1
 */
export function confidenceReader(sources: readonly string[]): ReadConfidence {
  const readers = sources.map(readerOf);
  const attribute = sources.find((source) => !OTHER_KINDS.test(source)) ?? CONFIDENCE_ATTRIBUTE;
  return (span, inputs) => {
    for (const read of readers) {
      const found = read(span, inputs);
      if (found !== null) return found;
    }
    throw new SpanError(
      `it states no confidence: add span.setAttribute('${attribute}', 0.9) with what the agent knows, or ` +
        'the setting "confidence": ["fixed:0.8"] to its rule',
      'confidence',
    );
  };
}

const OTHER_KINDS = /^(?:evaluation|argument|fixed):/;

function readerOf(source: string): (span: Span, inputs: unknown) => SpanConfidence | null {
  const [, kind, rest = ''] = /^(fixed|evaluation|argument):(.*)$/s.exec(source) ?? [];
  if (kind === 'fixed') {
    const fixed = { confidence: Number(rest), source: kind } as const;
    return () => fixed;
  }
  if (kind === 'argument') {
    const path = rest.split('.');
    return (_span, inputs) => ofArgument(inputs, path);
  }
  if (kind === 'evaluation') {
    return (span) => ofScore(source, scoreOf(rest, span));
  }
  const read = sourceReader(source);
  return (span) => ofAttribute(source, read(span));
}

/** A tool may have an argument of this name that is no confidence: then it says nothing. */
function ofArgument(inputs: unknown, path: readonly string[]): SpanConfidence | null {
  let value: unknown = inputs;
  for (const key of path) value = memberOf(value, key);
  return isConfidence(value) ? { confidence: value, source: 'argument' } : null;
}

function ofScore(source: string, value: unknown): SpanConfidence | null {
  if (value === undefined) return null;
  return { confidence: required(source, value, value), source: 'evaluation' };
}

function ofAttribute(source: string, value: unknown): SpanConfidence | null {
  if (value === undefined) return null;
  return { confidence: required(source, value, numberIn(value)), source: 'attribute' };
}

/** @throws SpanError */
function required(source: string, value: unknown, confidence: unknown): number {
  if (isConfidence(confidence)) return confidence;
  throw new SpanError(
    `${source} is ${shown(value)}: a confidence is a number from 0 to 1`,
    'confidence',
  );
}

function isConfidence(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** Some SDKs have attributes of text alone. */
function numberIn(value: unknown): unknown {
  const isDecimal = typeof value === 'string' && /^(?:0|1)(?:\.[0-9]{1,17})?$/.test(value);
  return isDecimal ? Number(value) : value;
}

/** The beginning of a value, for a message. */
export function shown(value: unknown): string {
  return JSON.stringify(degrade(value, () => '').value).slice(0, 50);
}

/** What an evaluation is called in the GenAI semantic conventions, and in OpenInference. */
const EVENT = 'gen_ai.evaluation.result';
const GEN_AI = { name: 'gen_ai.evaluation.name', score: 'gen_ai.evaluation.score.value' };
const LISTED = 'evaluations.';

/** The score of the last event that evaluates this, or else of the span itself. */
function scoreOf(evaluation: string, { events, attributes }: Span): unknown {
  const stated = events.filter(({ name }) => name === EVENT);
  const named = [{ attributes }, ...stated].filter(
    (one) => one.attributes.get(GEN_AI.name) === evaluation,
  );
  const score = named.at(-1)?.attributes.get(GEN_AI.score);
  if (score !== undefined) return score;
  for (let at = 0; attributes.has(`${LISTED}${at}.evaluation.name`); at += 1) {
    if (attributes.get(`${LISTED}${at}.evaluation.name`) !== evaluation) continue;
    return attributes.get(`${LISTED}${at}.evaluation.score`);
  }
  return undefined;
}
