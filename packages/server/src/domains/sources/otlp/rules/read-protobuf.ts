import { MarkedText, objectOf } from '@decision-ledger/client/values';
import { LIMITS } from '@decision-ledger/contract/limits';
import protobuf from 'protobufjs/minimal.js';
import {
  type Attributes,
  doubleOf,
  integerOf,
  OtlpFormatError,
  OtlpSizeError,
  type Span,
  SpanBudget,
  SpanError,
  type SpanEvent,
  type Spans,
  TOO_DEEP,
} from './span.js';

type Reader = protobuf.Reader;

/** Wire types of protobuf. */
const [VARINT, FIXED64, LENGTH, START_GROUP] = [0, 1, 2, 3];
const NONE: Attributes = new Map();

/**
 * Reads the spans of an ExportTraceServiceRequest (opentelemetry-proto 1.x) one by one. The reader of
 * the library is used without its generated decoders: they build a whole request before anything can
 * limit it.
 * @throws OtlpFormatError, OtlpSizeError
 */
export function* readProtobuf(bytes: Uint8Array): Spans {
  const reader = protobuf.Reader.create(bytes);
  const budget = new SpanBudget();
  try {
    for (const end of messages(reader, bytes.length, 1, budget)) {
      yield* readResourceSpans(reader, end, budget);
    }
  } catch (error) {
    if (error instanceof OtlpFormatError || error instanceof OtlpSizeError) throw error;
    // The reader of the library throws plain errors.
    const reason = error instanceof Error ? error.message : String(error);
    throw new OtlpFormatError(
      `the body is not an ExportTraceServiceRequest in protobuf: ${reason}, near byte ${reader.pos}`,
    );
  }
}

function* readResourceSpans(reader: Reader, end: number, budget: SpanBudget): Spans {
  budget.countGroup();
  const start = reader.pos;
  let resource: Attributes = NONE;
  let problem: string | null = null;
  // The resource may follow its spans.
  for (const at of messages(reader, end, 1, budget)) {
    const read = () => readKeyValues(reader, at, 1, budget);
    problem = attempt(reader, at, () => {
      resource = read();
    });
  }
  reader.pos = start;
  for (const ofScope of messages(reader, end, 2, budget)) {
    budget.countGroup();
    const scope = readScope(reader, ofScope, budget);
    for (const at of messages(reader, ofScope, 2, budget)) {
      budget.countSpan();
      const span = readSpan(reader, at, { resource, ...scope }, budget);
      yield problem === null ? span : { problem };
    }
  }
}

/** The scope in the message that ends at `end`; leaves the reader where it was. */
function readScope(
  reader: Reader,
  end: number,
  budget: SpanBudget,
): Pick<Span, 'scope' | 'scopeVersion'> {
  const start = reader.pos;
  const read = { scope: '', scopeVersion: '' };
  for (const at of messages(reader, end, 1, budget)) {
    for (const [field, wire] of fields(reader, at)) {
      if (field === 1) read.scope = textOf(reader, wire, at);
      else if (field === 2) read.scopeVersion = textOf(reader, wire, at);
      else skip(reader, wire, field, budget);
    }
  }
  reader.pos = start;
  return read;
}

/** Runs a read of the message that ends at `end`. Returns why it cannot be recorded, or null. */
function attempt(reader: Reader, end: number, read: () => void): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof SpanError)) throw error;
    reader.pos = end;
    return error.message;
  }
}

function readSpan(
  reader: Reader,
  end: number,
  around: Pick<Span, 'resource' | 'scope' | 'scopeVersion'>,
  budget: SpanBudget,
) {
  const read: { -readonly [Name in keyof Span]: Span[Name] } = {
    traceId: '',
    spanId: '',
    name: '',
    start: 0n,
    hasFailed: false,
    statusMessage: '',
    attributes: NONE,
    events: [],
    ...around,
  };
  const attributes = new Map<string, unknown>();
  const events: SpanEvent[] = [];
  const problem = attempt(reader, end, () => {
    for (const [field, wire] of fields(reader, end)) {
      if (field === 1) read.traceId = hex(bytesOf(reader, wire, end));
      else if (field === 2) read.spanId = hex(bytesOf(reader, wire, end));
      else if (field === 5) read.name = textOf(reader, wire, end);
      else if (field === 7) read.start = fixed64Of(reader, wire);
      else if (field === 9)
        attributes.set(...readKeyValue(reader, endOf(reader, wire, end), budget, 1));
      else if (field === 11) events.push(readEvent(reader, endOf(reader, wire, end), budget));
      else if (field === 15)
        Object.assign(read, readStatus(reader, endOf(reader, wire, end), budget));
      else skip(reader, wire, field, budget);
    }
  });
  return problem === null ? { ...read, attributes, events } : { problem };
}

function readEvent(reader: Reader, end: number, budget: SpanBudget): SpanEvent {
  budget.countValue();
  let name = '';
  const attributes = new Map<string, unknown>();
  for (const [field, wire] of fields(reader, end)) {
    if (field === 2) name = textOf(reader, wire, end);
    else if (field === 3)
      attributes.set(...readKeyValue(reader, endOf(reader, wire, end), budget, 1));
    else skip(reader, wire, field, budget);
  }
  return { name, attributes };
}

/** STATUS_CODE_ERROR. */
const ERROR = 2;

function readStatus(
  reader: Reader,
  end: number,
  budget: SpanBudget,
): Pick<Span, 'hasFailed' | 'statusMessage'> {
  let [hasFailed, statusMessage] = [false, ''];
  for (const [field, wire] of fields(reader, end)) {
    if (field === 2) statusMessage = textOf(reader, wire, end);
    else if (field === 3) {
      requireWire(wire, VARINT);
      hasFailed = reader.int32() === ERROR;
    } else skip(reader, wire, field, budget);
  }
  return { hasFailed, statusMessage };
}

function readKeyValues(reader: Reader, end: number, wanted: number, budget: SpanBudget) {
  const attributes = new Map<string, unknown>();
  for (const at of messages(reader, end, wanted, budget))
    attributes.set(...readKeyValue(reader, at, budget, 1));
  return attributes;
}

function readKeyValue(
  reader: Reader,
  end: number,
  budget: SpanBudget,
  depth: number,
): [key: string, value: unknown] {
  budget.countValue();
  let key = '';
  let value: unknown = null;
  for (const [field, wire] of fields(reader, end)) {
    if (field === 1) key = textOf(reader, wire, end);
    else if (field === 2) value = readValue(reader, endOf(reader, wire, end), budget, depth);
    else skip(reader, wire, field, budget);
  }
  return [key, value];
}

function readValue(reader: Reader, end: number, budget: SpanBudget, depth: number): unknown {
  if (depth > LIMITS.otlpDepth) {
    reader.pos = end;
    return TOO_DEEP;
  }
  let value: unknown = null;
  for (const [field, wire] of fields(reader, end)) {
    if (field === 1) value = stringOf(reader, wire, end);
    else if (field === 5) value = readArray(reader, endOf(reader, wire, end), budget, depth + 1);
    else if (field === 6) value = readObject(reader, endOf(reader, wire, end), budget, depth + 1);
    else if (field === 7) value = bytesOf(reader, wire, end);
    else if (field === 2 || field === 3) {
      requireWire(wire, VARINT);
      value = field === 2 ? reader.bool() : integerOf(String(reader.int64()));
    } else if (field === 4) {
      requireWire(wire, FIXED64);
      value = doubleOf(reader.double());
    } else skip(reader, wire, field, budget);
  }
  return value;
}

function readArray(reader: Reader, end: number, budget: SpanBudget, depth: number): unknown[] {
  const items: unknown[] = [];
  for (const at of messages(reader, end, 1, budget)) {
    budget.countValue();
    items.push(readValue(reader, at, budget, depth));
  }
  return items;
}

function readObject(reader: Reader, end: number, budget: SpanBudget, depth: number): object {
  const entries: [string, unknown][] = [];
  for (const at of messages(reader, end, 1, budget))
    entries.push(readKeyValue(reader, at, budget, depth));
  return objectOf(entries);
}

/** The fields of the message that ends at `end`; the caller reads or skips each. */
function* fields(reader: Reader, end: number): Generator<readonly [field: number, wire: number]> {
  while (reader.pos < end) {
    const tag = reader.tag();
    yield [tag >>> 3, tag & 7];
  }
  if (reader.pos > end)
    throw new OtlpFormatError(`a field ends after its message, near byte ${end}`);
}

/** The ends of the messages in one repeated field; other fields are skipped. */
function* messages(
  reader: Reader,
  end: number,
  wanted: number,
  budget: SpanBudget,
): Generator<number, void, void> {
  for (const [field, wire] of fields(reader, end)) {
    if (field === wanted) yield endOf(reader, wire, end);
    else skip(reader, wire, field, budget);
  }
}

function skip(reader: Reader, wire: number, field: number, budget: SpanBudget): void {
  budget.countSkipped();
  // A group is one field to the library, however many it holds. OTLP has none.
  if (wire === START_GROUP) throw new Error('a group, which OTLP does not use');
  reader.skipType(wire, 0, field);
}

function requireWire(wire: number, expected: number | undefined): void {
  if (wire !== expected) throw new Error(`wire type ${wire} does not fit the field`);
}

/** The end of a length-delimited field, whose content begins at the position of the reader. */
function endOf(reader: Reader, wire: number, outer: number): number {
  requireWire(wire, LENGTH);
  const end = reader.size() + reader.pos;
  if (end > outer) throw new Error('a field is longer than its message');
  return end;
}

function bytesOf(reader: Reader, wire: number, outer: number): Uint8Array {
  const end = endOf(reader, wire, outer);
  const bytes = reader.raw(reader.pos, end);
  reader.pos = end;
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** For names: U+FFFD stands for what is not UTF-8. */
const anyUtf8 = new TextDecoder();

function textOf(reader: Reader, wire: number, outer: number): string {
  return anyUtf8.decode(bytesOf(reader, wire, outer));
}

/** The text of a value. Some exporters send what is not UTF-8. */
function stringOf(reader: Reader, wire: number, outer: number): string | MarkedText {
  const bytes = bytesOf(reader, wire, outer);
  try {
    return utf8.decode(bytes);
  } catch {
    return new MarkedText(anyUtf8.decode(bytes));
  }
}

function fixed64Of(reader: Reader, wire: number): bigint {
  requireWire(wire, FIXED64);
  const low = reader.fixed32();
  return (BigInt(reader.fixed32()) << 32n) | BigInt(low);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
