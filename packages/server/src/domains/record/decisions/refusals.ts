import type { RefusedDecision } from '@decision-ledger/contract/decision';
import { ERROR_STATUS, type ErrorCode, LedgerError } from '@decision-ledger/contract/errors';

/** A decision of a request that was refused alone. */
export interface Refusal {
  /** Its place in the request. */
  readonly index: number;
  readonly error: LedgerError;
}

export function inOrder(refused: readonly Refusal[]): readonly Refusal[] {
  return [...refused].sort((a, b) => a.index - b.index);
}

export function describeRefusal({ index, error }: Refusal): RefusedDecision {
  const { code, message, details } = error;
  return { index, error: { code, message, ...(details !== undefined && { details }) } };
}

/** Reads one that was described. */
export function readRefusal({ index, error }: RefusedDecision): Refusal {
  const { code, message, details } = error;
  if (!isErrorCode(code)) throw new TypeError(`${code} is no code of an error`);
  return { index, error: new LedgerError(code, message, details === undefined ? {} : { details }) };
}

function isErrorCode(code: string): code is ErrorCode {
  return code in ERROR_STATUS;
}

/**
 * The error of a request of which nothing was recorded: that of its first decision, with those of all in
 * `details.refused`.
 */
export function nothingRecorded(refused: readonly Refusal[]): LedgerError {
  const [first] = refused;
  if (first === undefined) throw new Error('nothing was recorded, and nothing refused');
  const { code, message, details } = first.error;
  const text =
    refused.length === 1
      ? message
      : `nothing was recorded: all ${refused.length} decisions were refused, the first because ${message}`;
  return new LedgerError(code, text, {
    details: { ...details, refused: refused.map(describeRefusal) },
  });
}
