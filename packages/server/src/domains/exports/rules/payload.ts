import { parseDisclosure } from '@decision-ledger/proof/commitment';
import type { JsonValue } from '@decision-ledger/proof/gate';

/** The fields of a decision that its entry holds a commitment to. */
export const PAYLOAD = ['inputs', 'outputs', 'alternatives', 'metadata'] as const;
export type PayloadField = (typeof PAYLOAD)[number];

export interface Disclosed {
  readonly salt: string;
  /** Canonical JSON, as it was committed. */
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * A field as it is stored: null where there is none, `unreadable` where what is stored cannot be one,
 * so that a ledger that was tampered with can still be exported.
 */
export function readField(
  stored: string | null,
  name: PayloadField,
): Disclosed | null | 'unreadable' {
  if (stored === null) return null;
  try {
    const { salt, value: text } = parseDisclosure(stored, name);
    const value: JsonValue = JSON.parse(text);
    return { salt, text, value };
  } catch {
    return 'unreadable';
  }
}

/** The commitments of an entry; none where it cannot be read. */
export function commitmentsOf(entry: string): Partial<Record<PayloadField, string>> {
  const commitments = member(parseOrNull(entry), 'commitments');
  const found: Partial<Record<PayloadField, string>> = {};
  for (const name of PAYLOAD) {
    const digest = member(commitments, name);
    if (typeof digest === 'string') found[name] = digest;
  }
  return found;
}

/** Own member of an object; null where there is none. */
export function member(value: JsonValue, name: string): JsonValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

function parseOrNull(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
