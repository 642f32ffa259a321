import type { LedgerError } from '@decision-ledger/contract/errors';
import { redactKeys } from '../../../platform/secrets.js';
import type { OtlpEncoding } from './encoding.js';
import { answerOf, protobufAnswer, protobufStatus, statusOf } from './rules/answer.js';

/**
 * The body of a successful answer.
 * @param problems why spans were refused, one for each
 */
export function encodeAnswer(encoding: OtlpEncoding, problems: readonly string[]): Buffer {
  // A text of a span may hold a key of this service.
  const answer = answerOf(problems.map(redactKeys));
  return Buffer.from(encoding === 'json' ? JSON.stringify(answer) : protobufAnswer(answer));
}

/** The body of a failure. */
export function encodeFailure(encoding: OtlpEncoding, { code, message }: LedgerError): Buffer {
  const status = statusOf(code, redactKeys(message));
  return Buffer.from(encoding === 'json' ? JSON.stringify(status) : protobufStatus(status));
}
