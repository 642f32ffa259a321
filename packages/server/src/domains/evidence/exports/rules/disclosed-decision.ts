import type { Liability } from '@decision-ledger/contract/liability';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { PAYLOAD_FIELDS, type PayloadField } from '@decision-ledger/proof/bundle/format';
import { parseDisclosure } from '@decision-ledger/proof/commitment';
import type { JsonValue } from '@decision-ledger/proof/gate';

/** A stored decision with the disclosures of its payload fields. */
export interface DisclosedDecision extends DecisionColumns {
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly alternatives: string | null;
  readonly metadata: string | null;
}

/**
 * One line of decisions.json, with the committed values. Of a decision that was tampered with, the
 * readable fields are written: the verifier reports what is wrong.
 */
export function decisionLine(row: DisclosedDecision, liability: Liability | null): string {
  const commitments = commitmentsOf(row.entry);
  const fields = new Map<PayloadField, Disclosed>();
  for (const name of PAYLOAD_FIELDS) {
    const field = readField(row[name], name);
    if (field !== null && field !== 'unreadable') fields.set(name, field);
  }
  const erased = PAYLOAD_FIELDS.filter(
    (name) => row[name] === null && commitments[name] !== undefined,
  );
  const salts = Object.fromEntries([...fields].map(([name, { salt }]) => [name, salt]));
  const members: readonly (readonly [name: string, json: string | undefined])[] = [
    ['decision_id', JSON.stringify(row.decision_id)],
    ['seq', String(row.seq)],
    ['agent_id', JSON.stringify(row.agent_id)],
    ['action_type', JSON.stringify(row.action_type)],
    ['inputs', fields.get('inputs')?.text],
    ['outputs', fields.get('outputs')?.text],
    ['confidence', JSON.stringify(row.confidence)],
    ['alternatives', fields.get('alternatives')?.text],
    ['human_in_loop', String(row.human_in_loop)],
    ['metadata', fields.get('metadata')?.text],
    ['timestamp', JSON.stringify(formatTimestamp(row.timestamp))],
    ['created_at', JSON.stringify(formatTimestamp(row.created_at))],
    ['hash', JSON.stringify(row.hash)],
    ['prev_hash', JSON.stringify(row.prev_hash)],
    ['salts', JSON.stringify(salts)],
    ['commitments', JSON.stringify(commitments)],
    ['erased_fields', JSON.stringify(erased)],
    ['liability', JSON.stringify(liability)],
  ];
  const texts = members.flatMap(([name, json]) =>
    json === undefined ? [] : [`"${name}":${json}`],
  );
  return `{${texts.join(',')}}`;
}

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
