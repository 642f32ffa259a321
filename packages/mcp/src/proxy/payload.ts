import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readJsonText } from '@decision-ledger/client/values';
import { LIMITS } from '@decision-ledger/contract/limits';
import { isMembers, type JsonMembers } from '../json.js';

/**
 * The payload as it is recorded. What is too large for a decision is recorded as its size and hash. Under a mask, the
 * hash is left out.
 */
export function fitPayload(members: JsonMembers, line: string, isMasked: boolean): JsonMembers {
  if (Buffer.byteLength(JSON.stringify(members)) <= LIMITS.payloadFieldBytes) return members;
  const message_sha256 = createHash('sha256').update(line).digest('hex');
  const message_bytes = Buffer.byteLength(line);
  return { omitted: { reason: 'too_large', message_bytes, ...(!isMasked && { message_sha256 }) } };
}

/** A result with its texts as what they say: servers write objects and lists as JSON texts. */
export function readTexts(result: unknown): JsonMembers {
  if (!isMembers(result)) return { value: result };
  const { content } = result;
  return Array.isArray(content) ? { ...result, content: content.map(readContent) } : result;
}

function readContent(part: unknown): unknown {
  if (!isMembers(part) || part.type !== 'text' || typeof part.text !== 'string') return part;
  return { ...part, text: readJsonText(part.text) };
}
