import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { exactSteps } from '@decision-ledger/client/values';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import {
  GateError,
  parseJsonInTurns,
  parseJsonPartly,
  requireSize,
} from '@decision-ledger/proof/gate';
import type { Clock, Stopwatch } from '../../../platform/clock.js';
import type { Ledger } from '../../../platform/ledger.js';
import { encodeAnswer } from './answer.js';
import type { OtlpEncoding } from './encoding.js';
import { type ArrivedDecision, type RecordTools, recordDecisions } from './record.js';
import { decisionOfSpan, IGNORED, type Ignored } from './rules/decide.js';
import { type Mapping, mappingOf, type Rule, ruleFor } from './rules/mapping.js';
import { noticeOf, withoutSpans } from './rules/notice.js';
import { readJson } from './rules/read-json.js';
import { readProtobuf } from './rules/read-protobuf.js';
import {
  OtlpFormatError,
  OtlpSizeError,
  type Span,
  type Spans,
  truncateText,
} from './rules/span.js';
import { type Arrival, SpanGroups } from './rules/span-groups.js';
import type { SpanLog } from './span-log.js';

export interface OtlpReceiveTools extends RecordTools {
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly metrics: {
    countSpans(outcome: 'decision' | 'refused' | Ignored, spans: number): void;
  };
  readonly spanLog: Pick<SpanLog, 'add' | 'addRequest'>;
}

/** A request as received. */
export interface TraceExport {
  readonly encoding: OtlpEncoding;
  /** The header Content-Encoding. */
  readonly packing: string;
  readonly body: Buffer;
  /** Reserves memory; throws if there is none. */
  readonly reserve: (bytes: number) => void;
  /** The same for what a JSON text takes once it is parsed, beyond its own. */
  readonly reserveParsed: (json: Buffer, requireSize: () => void) => void;
}

/**
 * Records the decisions among the spans of a request.
 * @returns the answer of OTLP, in the encoding of the request
 * @throws LedgerError `invalid_state` without a mapping, `malformed_request`, `payload_too_large`,
 *   `unsupported_media_type`, `rate_limited`, `unavailable`
 */
export async function receiveTraces(
  ledger: Ledger,
  tools: OtlpReceiveTools,
  { encoding, packing, body: packed, reserve, reserveParsed }: TraceExport,
): Promise<Buffer> {
  const { otlp, recording } = await tools.settings.get(ledger.scope);
  const mapping = mappingOf(otlp);
  if (mapping === null) {
    tools.spanLog.addRequest(ledger, 'traces', 'no_mapping');
    throw notMapped();
  }
  const max = LIMITS.otlpBodyBytes + recording.max_upload_bytes;
  const body = await unpack(packed, packing, max, reserve);
  if (encoding === 'json') reserveParsed(body, () => requireJsonSize(body));
  else reserve(body.length);
  const now = tools.clock.now();
  const read = await readSpans(mapping, body, encoding, { now, stopwatch: tools.stopwatch });
  const { decisions, ignored, groups } = read;
  const refused = await recordDecisions(ledger, tools, decisions);
  const problems = [...read.problems, ...refused.map(({ problem }) => problem)];
  for (const { arrival, reason } of refused) {
    groups.move(arrival, { ...arrival, result: 'refused', reason }, now);
  }
  // Only now: a request that fails is sent again.
  tools.spanLog.add(ledger, groups);
  tools.metrics.countSpans('decision', decisions.length - refused.length);
  tools.metrics.countSpans('refused', problems.length);
  for (const reason of IGNORED) tools.metrics.countSpans(reason, ignored[reason]);
  return encodeAnswer(encoding, problems, decisions.length === 0 ? noticeOf(read) : null);
}

function notMapped(): LedgerError {
  return new LedgerError(
    'invalid_state',
    'no mapping is set for this ledger, so no span can become a decision: set one with ' +
      'PATCH /api/v1/settings {"otlp":{"preset":"detect_1"}}',
  );
}

const MIB = 1024 * 1024;

function tooLarge(max: number): LedgerError {
  const limit = Math.floor(max / MIB);
  return new LedgerError(
    'payload_too_large',
    `the body has, or unpacks to, more than ${limit} MiB`,
  );
}

/**
 * Unpacks a body. It ends as soon as the output is larger than a body may be, whatever the input says.
 * @param encoding the header Content-Encoding
 * @param max bytes, as received and unpacked
 * @param onBytes called with the number of bytes of each piece, before it is kept; throws to stop
 * @throws LedgerError `unsupported_media_type`, `malformed_request`, `payload_too_large`
 */
async function unpack(
  body: Buffer,
  encoding: string,
  max: number,
  onBytes: (bytes: number) => void,
): Promise<Buffer> {
  if (body.length > max) throw tooLarge(max);
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') {
    throw new LedgerError('unsupported_media_type', 'send the body with gzip or uncompressed');
  }
  const pieces: Buffer[] = [];
  let size = 0;
  const gunzip = createGunzip({ chunkSize: 256 * 1024 });
  gunzip.end(body);
  try {
    for await (const piece of gunzip) {
      const bytes: Buffer = Buffer.from(piece);
      size += bytes.length;
      if (size > max) throw tooLarge(max);
      onBytes(bytes.length);
      pieces.push(bytes);
    }
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    throw new LedgerError(
      'malformed_request',
      'the body is not in the gzip format, or is truncated',
    );
  }
  return Buffer.concat(pieces);
}

/** What the spans of a request are. Those that are no decisions are not kept. */
export interface ReadSpans {
  readonly decisions: readonly ArrivedDecision[];
  /** One for each span that was refused. */
  readonly problems: readonly string[];
  /** How many spans are no decisions, and why. */
  readonly ignored: Readonly<Record<Ignored, number>>;
  /** All spans, as what they were read. */
  readonly groups: SpanGroups;
  /** What a body without any span has instead; null for one that is empty. */
  readonly instead: string | null;
}

/** How long spans are read before the event loop handles other requests. */
const TURN_MS = 10;

/**
 * Reads the decisions in the body of a request.
 * @throws LedgerError `malformed_request`, `payload_too_large`
 */
async function readSpans(
  mapping: Mapping,
  body: Buffer,
  encoding: OtlpEncoding,
  { now, stopwatch }: { readonly now: number; readonly stopwatch: Stopwatch },
): Promise<ReadSpans> {
  const decisions: ArrivedDecision[] = [];
  const problems: string[] = [];
  const ignored = { no_rule: 0, no_content: 0 };
  const groups = new SpanGroups();
  let turn = stopwatch();
  try {
    const { spans, instead } = await READERS[encoding](body);
    for (const span of spans) {
      if (stopwatch() - turn > TURN_MS) {
        await nextTurn();
        turn = stopwatch();
      }
      if ('problem' in span) {
        problems.push(span.problem);
        groups.add(UNREADABLE, now);
        continue;
      }
      const rule = ruleFor(mapping, span);
      const read = rule === undefined ? 'no_rule' : decisionOfSpan(mapping, rule, span, now);
      const from = arrivalOf(span, rule);
      if (typeof read === 'string') {
        ignored[read] += 1;
        groups.addSpan({ ...from, result: 'ignored', reason: read }, span, now);
      } else if ('problem' in read) {
        problems.push(read.problem);
        groups.addSpan({ ...from, result: 'refused', reason: read.reason }, span, now);
      } else {
        const arrival = groups.addSpan({ ...from, result: 'recorded', reason: null }, span, now);
        decisions.push({ ...read, arrival });
      }
    }
    return { decisions, problems, ignored, groups, instead: instead() };
  } catch (error) {
    throw refusalOf(error);
  }
}

const UNREADABLE: Arrival = {
  ...{ signal: 'traces', scope: null, scope_version: null, taken_by: null },
  ...{ result: 'refused', reason: 'unreadable' },
};

const arrivalOf = ({ scope, scopeVersion }: Span, rule: Rule | undefined) => ({
  signal: 'traces' as const,
  ...{ scope, scope_version: scopeVersion, taken_by: rule?.name ?? null },
});

interface Content {
  readonly spans: Spans;
  /** What the body has if it has no spans. */
  readonly instead: () => string | null;
}

const READERS: Readonly<Record<OtlpEncoding, (body: Buffer) => Promise<Content>>> = {
  protobuf: async (body) => ({
    spans: readProtobuf(body),
    instead: () => (body.length === 0 ? null : 'other fields'),
  }),
  json: async (body) => {
    if (!isUtf8(body)) throw new OtlpFormatError('the body is not UTF-8');
    const content = await parseBody(body.toString('utf8'));
    return { spans: readJson(content), instead: () => withoutSpans(content) };
  },
};

/** A text with values that JSON cannot hold is read a second time, which takes longer. */
async function parseBody(text: string): Promise<unknown> {
  try {
    return await parseJsonInTurns(text, JSON_DEPTH, JSON_SIZE, nextTurn);
  } catch (error) {
    if (!(error instanceof GateError) || error.kind !== 'unrepresentable') throw error;
    await parseJsonPartly(text, () => false, nextTurn);
    const steps = exactSteps(text);
    for (;;) {
      const { done, value } = steps.next();
      if (done === true) return value;
      await nextTurn();
    }
  }
}

/** An attribute takes four levels of JSON for each level of its value. */
const JSON_DEPTH = 16 + 4 * LIMITS.otlpDepth;
/** An attribute takes three members and an object or two. */
const JSON_SIZE = { values: 10 * LIMITS.otlpValues, members: 5 * LIMITS.otlpValues };

/** @throws LedgerError `payload_too_large` for more values than any request may have */
function requireJsonSize(body: Buffer): void {
  try {
    requireSize(body.toString('utf8'), JSON_SIZE);
  } catch (error) {
    throw refusalOf(error);
  }
}

const LONGEST_PATH = 200;

function refusalOf(error: unknown): unknown {
  if (error instanceof OtlpSizeError) return new LedgerError('payload_too_large', error.message);
  if (error instanceof OtlpFormatError) return new LedgerError('malformed_request', error.message);
  if (!(error instanceof GateError)) return error;
  if (error.kind === 'oversized') return new LedgerError('payload_too_large', error.message);
  const path = error.path === '' ? 'the body' : truncateText(error.path, LONGEST_PATH);
  return new LedgerError('malformed_request', `${path}: ${error.message}`);
}
