import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { LIMITS } from '@decision-ledger/contract/limits';
import { GateError, MAX_DEPTH, parseJson } from '@decision-ledger/proof/gate';
import { isMembers, type JsonMembers } from '../json.js';

/**
 * The payload as it is recorded. What JSON values cannot carry exactly (a number beyond 2^53, a repeated
 * key) is recorded as the text of the message, and what is too large for a decision as its size and hash.
 * A mask reaches into neither, so under a mask text and hash are left out.
 *
 * @param value the payload, parsed from the line
 */
export function fitPayload(value: unknown, line: string, isMasked: boolean): JsonMembers {
  const members = isMembers(value) ? value : { value };
  const text = JSON.stringify(members);
  if (!fits(text)) return omission('too_large', line, isMasked);
  const isFaithful = survives(text, MAX_DEPTH) && survives(line, Number.POSITIVE_INFINITY);
  if (isFaithful) return members;
  if (isMasked) return omission('not_representable', line, isMasked);
  const message = { message_text: line };
  return fits(JSON.stringify(message)) ? message : omission('too_large', line, isMasked);
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= LIMITS.payloadFieldBytes;
}

function survives(text: string, maxDepth: number): boolean {
  try {
    parseJson(text, maxDepth);
    return true;
  } catch (error) {
    if (error instanceof GateError) return false;
    throw error;
  }
}

function omission(reason: string, line: string, isMasked: boolean): JsonMembers {
  const message_sha256 = createHash('sha256').update(line).digest('hex');
  const message_bytes = Buffer.byteLength(line);
  return { omitted: { reason, message_bytes, ...(!isMasked && { message_sha256 }) } };
}
