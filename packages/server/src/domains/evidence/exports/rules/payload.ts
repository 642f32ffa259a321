import { PAYLOAD_FIELDS, type PayloadField } from '@decision-ledger/proof/bundle/format';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import type { JsonValue } from '@decision-ledger/proof/gate';

/** The columns of a stored decision that all files use. Times in ms, hashes in hexadecimal. */
export interface DecisionColumns {
  readonly seq: number;
  /** Public identifier. */
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly hash: string;
  readonly prev_hash: string;
  readonly entry: string;
}

export interface Disclosed {
  readonly salt: string;
  /** Canonical JSON, as committed. */
  readonly text: string;
  readonly value: JsonValue;
}

/**
 * A stored field: null if there is none, `unreadable` if the text is not a disclosure, so that a ledger
 * that was tampered with can still be exported.
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

/** The commitments of an entry; none if the entry is unreadable. */
export function commitmentsOf(entry: string): Partial<Record<PayloadField, string>> {
  const commitments = ownMember(parseOrNull(entry), 'commitments');
  const found: Partial<Record<PayloadField, string>> = {};
  for (const name of PAYLOAD_FIELDS) {
    const digest = ownMember(commitments, name);
    if (typeof digest === 'string') found[name] = digest;
  }
  return found;
}

/** Own member of an object; null if it is missing. */
export function ownMember(value: JsonValue, name: string): JsonValue {
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
