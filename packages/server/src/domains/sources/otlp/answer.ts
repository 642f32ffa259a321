import type { ErrorCode, LedgerError } from '@decision-ledger/contract/errors';
import {
  type OtlpStatus,
  type OtlpTraceAnswer,
  STATUS_CODES,
} from '@decision-ledger/contract/otlp';
import protobuf from 'protobufjs/minimal.js';
import { redactKeys } from '../../../platform/secrets.js';
import type { OtlpEncoding } from './encoding.js';
import { truncateText } from './rules/span.js';

/**
 * The body of a successful answer.
 * @param problems why spans were refused, one for each
 * @param notice what the sender should know although no span was refused, or null
 */
export function encodeAnswer(
  encoding: OtlpEncoding,
  problems: readonly string[],
  notice: string | null,
): Buffer {
  // A text of a span may hold a key of this service.
  const answer = answerOf(problems.map(redactKeys), notice === null ? null : redactKeys(notice));
  return Buffer.from(encoding === 'json' ? JSON.stringify(answer) : protobufAnswer(answer));
}

/** The body of a failure. */
export function encodeFailure(encoding: OtlpEncoding, { code, message }: LedgerError): Buffer {
  const status = statusOf(code, redactKeys(message));
  return Buffer.from(encoding === 'json' ? JSON.stringify(status) : protobufStatus(status));
}

function statusOf(code: ErrorCode, message: string): OtlpStatus {
  return { code: STATUS_CODES[code], message };
}

/** The tag of a length-delimited field, and of a varint. */
const lengthTag = (field: number) => (field << 3) | 2;
const varintTag = (field: number) => field << 3;

/** google.rpc.Status. */
function protobufStatus({ code, message }: OtlpStatus): Uint8Array {
  const writer = protobuf.Writer.create();
  return writer.uint32(varintTag(1)).int32(code).uint32(lengthTag(2)).string(message).finish();
}

/** ExportTraceServiceResponse. */
function protobufAnswer({ partialSuccess }: OtlpTraceAnswer): Uint8Array {
  const writer = protobuf.Writer.create();
  if (partialSuccess === undefined) return writer.finish();
  const { rejectedSpans, errorMessage } = partialSuccess;
  writer.uint32(lengthTag(1)).fork().uint32(varintTag(1)).int64(Number(rejectedSpans));
  return writer.uint32(lengthTag(2)).string(errorMessage).ldelim().finish();
}

/** Problems that one answer names. */
const SHOWN = 5;
const MAX_MESSAGE = 4000;

/** The answer of OTLP: empty, or how many spans were refused and why. With 0 of them it is a warning. */
function answerOf(problems: readonly string[], notice: string | null): OtlpTraceAnswer {
  if (problems.length === 0) {
    return notice === null ? {} : { partialSuccess: { rejectedSpans: '0', errorMessage: notice } };
  }
  const rest = problems.length - SHOWN;
  const shown = problems.slice(0, SHOWN).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  return {
    partialSuccess: {
      rejectedSpans: String(problems.length),
      errorMessage: truncateText(shown, MAX_MESSAGE),
    },
  };
}
