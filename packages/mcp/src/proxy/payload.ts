import { readJsonText } from '@decision-ledger/client/values';
import { isMembers, type JsonMembers } from '../json.js';

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
