import { MarkedText, objectOf, Pairs } from '@decision-ledger/client/values';
import { LIMITS } from '@decision-ledger/contract/limits';
import {
  doubleOf,
  integerOf,
  OtlpFormatError,
  type Span,
  SpanBudget,
  SpanError,
  type SpanEvent,
  type Spans,
  TOO_DEEP,
  type UnreadableSpan,
} from './span.js';

type Members = { readonly [name: string]: unknown };

/** STATUS_CODE_ERROR. */
const ERROR = 2;

/**
 * Reads the spans of an ExportTraceServiceRequest in OTLP/JSON one by one. Unknown members are ignored,
 * as OTLP asks.
 * @param body as `parseJson` reads it, or `exactSteps`
 * @throws OtlpFormatError naming the member, OtlpSizeError
 */
export function* readJson(body: unknown): Spans {
  const budget = new SpanBudget();
  const request = membersOf(body, 'the body');
  for (const [group, at] of objectsIn(request, 'resourceSpans', '')) {
    budget.countGroup();
    const holder = memberOf(group, 'resource', at) ?? {};
    const shared = readable(() =>
      readAttributes(holder, { budget, at: `${at}resource.`, depth: 1 }),
    );
    for (const [scope, inScope] of objectsIn(group, 'scopeSpans', at)) {
      budget.countGroup();
      const about = memberOf(scope, 'scope', inScope) ?? {};
      const around = {
        scope: textIn(about, 'name', `${inScope}scope.`),
        scopeVersion: textIn(about, 'version', `${inScope}scope.`),
      };
      for (const [span, inSpan] of objectsIn(scope, 'spans', inScope)) {
        budget.countSpan();
        const read = readable(() => readSpan(span, { budget, at: inSpan, depth: 1 }));
        yield 'problem' in shared ? shared : join(read, { resource: shared.value, ...around });
      }
    }
  }
}

/** Where a value stands: `at` is the path of its object, with a final point. */
interface Place {
  readonly budget: SpanBudget;
  readonly at: string;
  readonly depth: number;
}

type Read<Value> = { readonly value: Value } | UnreadableSpan;

function readable<Value>(read: () => Value): Read<Value> {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof SpanError)) throw error;
    return { problem: error.message };
  }
}

type Around = Pick<Span, 'resource' | 'scope' | 'scopeVersion'>;
type OwnSpan = Omit<Span, keyof Around>;

function join(span: Read<OwnSpan>, around: Around): Span | UnreadableSpan {
  return 'problem' in span ? span : { ...span.value, ...around };
}

function readSpan(span: Members, place: Place): OwnSpan {
  const { at } = place;
  const status = memberOf(span, 'status', at) ?? {};
  return {
    traceId: textIn(span, 'traceId', at).toLowerCase(),
    spanId: textIn(span, 'spanId', at).toLowerCase(),
    name: textIn(span, 'name', at),
    start: timeIn(span, 'startTimeUnixNano', at),
    hasFailed: codeIn(status, `${at}status.`) === ERROR,
    statusMessage: textIn(status, 'message', `${at}status.`),
    attributes: readAttributes(span, place),
    events: Array.from(objectsIn(span, 'events', at), ([event, inEvent]): SpanEvent => {
      place.budget.countValue();
      const attributes = readAttributes(event, { ...place, at: inEvent });
      return { name: textIn(event, 'name', inEvent), attributes };
    }),
  };
}

function readAttributes(holder: Members, { budget, at, depth }: Place): Map<string, unknown> {
  return new Map(readPairs(objectsIn(holder, 'attributes', at), { budget, at, depth }));
}

function* readPairs(
  pairs: Iterable<readonly [Members, string]>,
  { budget, depth }: Place,
): Generator<readonly [string, unknown], void, void> {
  for (const [pair, at] of pairs) {
    budget.countValue();
    const value = memberOf(pair, 'value', at) ?? {};
    yield [textIn(pair, 'key', at), readValue(value, { budget, depth, at: `${at}value.` })];
  }
}

/** Reads an AnyValue: one member says its type. */
function readValue(value: Members, place: Place): unknown {
  const { at, budget } = place;
  if (place.depth > LIMITS.otlpDepth) return TOO_DEEP;
  const depth = place.depth + 1;
  for (const [name, content] of Object.entries(value)) {
    if (content === null) continue;
    if (name === 'stringValue') return textIn(value, name, at);
    if (name === 'bytesValue') return Buffer.from(textIn(value, name, at), 'base64');
    if (name === 'boolValue') return booleanOf(content, at + name);
    if (name === 'intValue') return integerOf(integerText(content, at + name));
    if (name === 'doubleValue') return doubleIn(content, at + name);
    if (name === 'arrayValue') {
      const array = membersOf(content, at + name);
      return Array.from(objectsIn(array, 'values', `${at}${name}.`), ([item, inItem]) => {
        budget.countValue();
        return readValue(item, { budget, depth, at: inItem });
      });
    }
    if (name === 'kvlistValue') {
      const list = membersOf(content, at + name);
      const pairs = objectsIn(list, 'values', `${at}${name}.`);
      return objectOf([...readPairs(pairs, { budget, depth, at })]);
    }
  }
  return null;
}

function isMembers(value: unknown): value is Members {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !(value instanceof MarkedText);
}

function membersOf(value: unknown, path: string): Members {
  if (value instanceof Pairs) throw new OtlpFormatError(`${path} repeats a member`);
  if (isMembers(value)) return value;
  throw new OtlpFormatError(`${path} must be an object`);
}

/** The object in a member; null if there is none. */
function memberOf(holder: Members, name: string, at: string): Members | null {
  const value = ownMember(holder, name);
  return value === null ? null : membersOf(value, at + name);
}

/** The objects of a list one by one, each with its path and a final point: a budget may end a list of millions. */
function* objectsIn(
  holder: Members,
  name: string,
  at: string,
): Generator<readonly [Members, string], void, void> {
  const value = ownMember(holder, name) ?? [];
  if (!Array.isArray(value)) throw new OtlpFormatError(`${at}${name} must be an array`);
  for (const [index, item] of value.entries()) {
    const path = `${at}${name}[${index}]`;
    yield [membersOf(item, path), `${path}.`];
  }
}

/** JSON of protobuf: null stands for an absent member. */
function ownMember(holder: Members, name: string): unknown {
  return Object.hasOwn(holder, name) ? (holder[name] ?? null) : null;
}

function textIn(holder: Members, name: string, at: string): string {
  const value = ownMember(holder, name) ?? '';
  if (typeof value === 'string') return value;
  throw new OtlpFormatError(`${at}${name} must be a string`);
}

function booleanOf(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new OtlpFormatError(`${path} must be true or false`);
}

function codeIn(status: Members, at: string): number {
  const code = ownMember(status, 'code') ?? 0;
  if (typeof code === 'number') return code;
  throw new OtlpFormatError(`${at}code must be a number: OTLP/JSON does not allow enum names`);
}

function timeIn(holder: Members, name: string, at: string): bigint {
  const value = ownMember(holder, name) ?? 0;
  const text = integerText(value, at + name);
  return text.startsWith('-') ? 0n : BigInt(text);
}

/** 64-bit integers are texts in OTLP/JSON; numbers are accepted too. */
function integerText(value: unknown, path: string): string {
  const written = value instanceof MarkedText ? value.text : value;
  const text = typeof written === 'number' ? String(written) : written;
  if (typeof text === 'string' && /^-?[0-9]{1,20}$/.test(text)) return text;
  throw new OtlpFormatError(`${path} must be an integer, written as a string`);
}

const NAMED_DOUBLES = ['NaN', 'Infinity', '-Infinity'];

function doubleIn(value: unknown, path: string): number | MarkedText {
  if (value instanceof MarkedText) return value;
  if (typeof value === 'number') return doubleOf(value);
  if (typeof value === 'string' && NAMED_DOUBLES.includes(value)) return Number(value);
  throw new OtlpFormatError(`${path} must be a number`);
}
