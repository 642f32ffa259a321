import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LedgerError } from '@decision-ledger/contract/errors';
import { LIMITS } from '@decision-ledger/contract/limits';
import { GateError, parseJsonInTurns, requireSize } from '@decision-ledger/proof/gate';
import type { Clock, Stopwatch } from '../../../platform/clock.js';
import type { OtlpEncoding } from './encoding.js';
import { decisionOfSpan, type SpanDecision } from './rules/decide.js';
import type { Mapping } from './rules/mapping.js';
import { readJson } from './rules/read-json.js';
import { readProtobuf } from './rules/read-protobuf.js';
import { OtlpFormatError, OtlpSizeError, type Spans, truncateText } from './rules/span.js';

export interface ReadTools {
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
}

/** What the spans of a request are. Those that are no decisions are not kept. */
export interface ReadSpans {
  readonly decisions: readonly SpanDecision[];
  /** One for each span that was refused. */
  readonly problems: readonly string[];
  /** How many spans are no decisions. */
  readonly ignored: number;
}

/** How long spans are read before the event loop handles other requests. */
const TURN_MS = 10;

/**
 * Reads the decisions in the body of a request.
 * @throws LedgerError `malformed_request`, `payload_too_large`
 */
export async function readSpans(
  mapping: Mapping,
  body: Buffer,
  encoding: OtlpEncoding,
  { clock, stopwatch }: ReadTools,
): Promise<ReadSpans> {
  const decisions: SpanDecision[] = [];
  const problems: string[] = [];
  let read = 0;
  let turn = stopwatch();
  try {
    for (const span of await READERS[encoding](body)) {
      read += 1;
      if (stopwatch() - turn > TURN_MS) {
        await nextTurn();
        turn = stopwatch();
      }
      const decision = 'problem' in span ? span : decisionOfSpan(mapping, span, clock.now());
      if (decision === null) continue;
      if ('problem' in decision) problems.push(decision.problem);
      else decisions.push(decision);
    }
  } catch (error) {
    throw refusalOf(error);
  }
  return { decisions, problems, ignored: read - decisions.length - problems.length };
}

const READERS: Readonly<Record<OtlpEncoding, (body: Buffer) => Promise<Spans>>> = {
  protobuf: async (body) => readProtobuf(body),
  json: async (body) => {
    if (!isUtf8(body)) throw new OtlpFormatError('the body is not UTF-8');
    const text = body.toString('utf8');
    return readJson(await parseJsonInTurns(text, JSON_DEPTH, JSON_SIZE, nextTurn));
  },
};

/** An attribute takes four levels of JSON for each level of its value. */
const JSON_DEPTH = 16 + 4 * LIMITS.otlpDepth;
/** An attribute takes three members and an object or two. */
const JSON_SIZE = { values: 10 * LIMITS.otlpValues, members: 5 * LIMITS.otlpValues };

/** @throws LedgerError `payload_too_large` for more values than any request may have */
export function requireJsonSize(body: Buffer): void {
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
