import { formatTimestamp, parseTimestamp } from '@decision-ledger/contract/time';
import type { JsonValue } from '@decision-ledger/proof/gate';
import type { DecisionColumns } from './decision-columns.js';
import { commitmentsOf, type Disclosed, member, PAYLOAD, readField } from './payload.js';

/** What a record, a row and the completeness statement have in common. */
export interface Article12Summary extends DecisionColumns {
  readonly epoch: number;
  readonly has_inputs: boolean;
  readonly has_outputs: boolean;
  readonly has_alternatives: boolean;
  /** Disclosure. */
  readonly metadata: string | null;
}

/** With the whole payload, as disclosures. */
export interface Article12Decision extends Article12Summary {
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly alternatives: string | null;
}

/** What metadata tell of a use; null for what they do not, or not in a form that can be read. */
export interface Use {
  /** RFC 3339, as they were given. */
  readonly start: string | null;
  readonly end: string | null;
  readonly reference_database: JsonValue;
  readonly matched_input: JsonValue;
  readonly reviewer_id: JsonValue;
  /** At least one: those that are named, or the reviewer. */
  readonly verifiers: readonly JsonValue[] | null;
}

export function readUse({ metadata }: Pick<Article12Summary, 'metadata'>): Use {
  const field = readField(metadata, 'metadata');
  const value = field === null || field === 'unreadable' ? null : field.value;
  const reviewer = present(member(value, 'reviewer_id'));
  return {
    start: readTime(member(value, 'use_start')),
    end: readTime(member(value, 'use_end')),
    reference_database: present(member(value, 'reference_database')),
    matched_input: present(member(value, 'matched_input')),
    reviewer_id: reviewer,
    verifiers: readVerifiers(member(value, 'verifiers')) ?? (reviewer === null ? null : [reviewer]),
  };
}

/** Names of the fields that have a commitment, and neither value nor salt. */
export function erasedFields(row: Article12Summary): string[] {
  const commitments = commitmentsOf(row.entry);
  return PAYLOAD.filter((name) => commitments[name] !== undefined && !isStored(row, name));
}

/** One record, as a line of JSON. Values stand in it as they were committed. */
export function article12Record(row: Article12Decision): string {
  const fields = PAYLOAD.map((name) => [name, readField(row[name], name)] as const);
  const unreadable = fields.filter(([, field]) => field === 'unreadable').map(([name]) => name);
  const texts = Object.fromEntries(fields.map(([name, field]) => [name, textOf(field)]));
  const salts = fields.flatMap(([name, field]) =>
    field === null || field === 'unreadable' ? [] : [[name, field.salt] as const],
  );
  const { start, end, reference_database, matched_input, reviewer_id, verifiers } = readUse(row);
  const { seq, epoch, hash, prev_hash, human_in_loop, confidence } = row;
  const members: readonly (readonly [string, string])[] = [
    ['decision_id', JSON.stringify(row.decision_id)],
    ['agent_id', JSON.stringify(row.agent_id)],
    ['action_type', JSON.stringify(row.action_type)],
    ['timestamp', JSON.stringify(formatTimestamp(row.timestamp))],
    ['created_at', JSON.stringify(formatTimestamp(row.created_at))],
    ['period_of_use', JSON.stringify({ start, end })],
    ['inputs', texts.inputs ?? 'null'],
    ['outputs', texts.outputs ?? 'null'],
    ['confidence', JSON.stringify(confidence)],
    ['alternatives', texts.alternatives ?? 'null'],
    ['verifier', JSON.stringify({ human_in_loop, reviewer_id, verifiers })],
    ['biometric_search', JSON.stringify({ reference_database, matched_input })],
    ['metadata', texts.metadata ?? 'null'],
    ['erased_fields', JSON.stringify(erasedFields(row))],
    ...(unreadable.length === 0
      ? []
      : [['unreadable_fields', JSON.stringify(unreadable)] as const]),
    [
      'tamper_evidence',
      JSON.stringify({
        ...{ seq, epoch, hash, prev_hash },
        salts: Object.fromEntries(salts),
        commitments: commitmentsOf(row.entry),
      }),
    ],
  ];
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

function isStored(row: Article12Summary, name: (typeof PAYLOAD)[number]): boolean {
  if (name === 'metadata') return row.metadata !== null;
  return row[`has_${name}`];
}

function textOf(field: Disclosed | null | 'unreadable'): string {
  return field === null || field === 'unreadable' ? 'null' : field.text;
}

function readTime(value: JsonValue): string | null {
  return typeof value === 'string' && parseTimestamp(value) !== null ? value : null;
}

/** Null for what says nothing. */
function present(value: JsonValue): JsonValue {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}

function readVerifiers(value: JsonValue): readonly JsonValue[] | null {
  const named = (Array.isArray(value) ? value : [value]).filter((one) => present(one) !== null);
  return named.length === 0 ? null : named;
}
