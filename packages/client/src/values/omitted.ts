import type { JsonMembers } from './degrade.js';
import { objectAt } from './payload.js';

const HEAD_BYTES = 8 * 1024;
const MAX_PATHS = 32;

/**
 * Stands for a value that is too large even for an upload.
 * @param bytes of its text
 */
export function omitted(bytes: Uint8Array, sha256: (bytes: Uint8Array) => string): JsonMembers {
  // As a stream, so that a character that is cut is left out.
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES), { stream: true });
  return { $degraded: 'too_large', sha256: sha256(bytes), size: bytes.length, head };
}

/** Adds paths of omitted values to those that the metadata of a decision marks. */
export function markOmitted(decision: JsonMembers, paths: readonly string[]): JsonMembers {
  const metadata = objectAt(decision, 'metadata');
  const { degraded, degraded_count: counted } = metadata;
  const known = Array.isArray(degraded) ? degraded.map(String) : [];
  const added = paths.filter((path) => !known.includes(path));
  if (added.length === 0) return decision;
  const all = [...known, ...added].sort();
  const count = (typeof counted === 'number' ? counted : known.length) + added.length;
  const marks = { degraded: all.slice(0, MAX_PATHS) };
  const isAll = count === marks.degraded.length;
  const told = { ...marks, ...(!isAll && { degraded_count: count }) };
  return { ...decision, metadata: { ...metadata, ...told } };
}
