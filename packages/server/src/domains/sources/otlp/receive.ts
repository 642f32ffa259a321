import { LedgerError } from '@decision-ledger/contract/errors';
import type { Settings } from '@decision-ledger/contract/settings';
import type { Ledger } from '../../../platform/ledger.js';
import type { Scope } from '../../../platform/principal.js';
import { encodeAnswer } from './answer.js';
import type { OtlpEncoding } from './encoding.js';
import { type ReadTools, readSpans, requireJsonSize } from './read-spans.js';
import { type RecordTools, recordDecisions } from './record.js';
import { mappingOf } from './rules/mapping.js';
import { unpack } from './unpack.js';

export interface OtlpReceiveTools extends RecordTools, ReadTools {
  readonly metrics: {
    countSpans(outcome: 'decision' | 'refused' | 'ignored', spans: number): void;
  };
  readonly settings: { get(scope: Scope): Promise<Settings> };
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
  const mapping = mappingOf((await tools.settings.get(ledger.scope)).otlp);
  if (mapping === null) throw notMapped();
  const body = await unpack(packed, packing, reserve);
  if (encoding === 'json') reserveParsed(body, () => requireJsonSize(body));
  else reserve(body.length);
  const { decisions, problems, ignored } = await readSpans(mapping, body, encoding, tools);
  const refused = await recordDecisions(ledger, tools, decisions);
  tools.metrics.countSpans('decision', decisions.length - refused.length);
  tools.metrics.countSpans('refused', problems.length + refused.length);
  tools.metrics.countSpans('ignored', ignored);
  return encodeAnswer(encoding, [...problems, ...refused]);
}

function notMapped(): LedgerError {
  return new LedgerError(
    'invalid_state',
    'no mapping is set for this ledger, so no span can become a decision: set one with ' +
      'PATCH /api/v1/settings {"otlp":{"preset":"gen_ai_1.45"}}',
  );
}
