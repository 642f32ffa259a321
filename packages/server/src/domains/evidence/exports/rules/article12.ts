import { BYTE_ORDER_MARK, csvRow } from '@decision-ledger/contract/csv';
import { formatTimestamp, parseTimestamp } from '@decision-ledger/contract/time';
import { FILES, PAYLOAD_FIELDS, type PayloadField } from '@decision-ledger/proof/bundle/format';
import type { JsonValue } from '@decision-ledger/proof/gate';
import {
  commitmentsOf,
  type DecisionColumns,
  type Disclosed,
  ownMember,
  readField,
} from './disclosed-decision.js';

/** Input of a record, a row and the completeness statement. */
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

/** The use of a system, as described by metadata; null for missing or unreadable values. */
export interface Use {
  /** RFC 3339, as given. */
  readonly start: string | null;
  readonly end: string | null;
  readonly reference_database: JsonValue;
  readonly matched_input: JsonValue;
  readonly reviewer_id: JsonValue;
  /** Not empty: the named verifiers, or else the reviewer. */
  readonly verifiers: readonly JsonValue[] | null;
}

export function readUse({ metadata }: Pick<Article12Summary, 'metadata'>): Use {
  const field = readField(metadata, 'metadata');
  const value = field === null || field === 'unreadable' ? null : field.value;
  const reviewer = present(ownMember(value, 'reviewer_id'));
  return {
    start: readTime(ownMember(value, 'use_start')),
    end: readTime(ownMember(value, 'use_end')),
    reference_database: present(ownMember(value, 'reference_database')),
    matched_input: present(ownMember(value, 'matched_input')),
    reviewer_id: reviewer,
    verifiers:
      readVerifiers(ownMember(value, 'verifiers')) ?? (reviewer === null ? null : [reviewer]),
  };
}

/** Names of the fields that have a commitment but no value. */
export function erasedFields(row: Article12Summary): string[] {
  const commitments = commitmentsOf(row.entry);
  return PAYLOAD_FIELDS.filter((name) => commitments[name] !== undefined && !isStored(row, name));
}

/** A record of article12.json, with the committed values. */
export function article12Record(row: Article12Decision): string {
  const fields = PAYLOAD_FIELDS.map((name) => [name, readField(row[name], name)] as const);
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
        seq,
        epoch,
        hash,
        prev_hash,
        salts: Object.fromEntries(salts),
        commitments: commitmentsOf(row.entry),
      }),
    ],
  ];
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

type Column = (typeof FILES)['article12.csv']['columns'][number];
type Cell = string | number | boolean | null;

const COLUMNS: readonly Column[] = FILES['article12.csv'].columns;

/** With a byte order mark, because spreadsheets take UTF-8 without one for another encoding. */
export const ARTICLE_12_HEADER = BYTE_ORDER_MARK + csvRow(COLUMNS);

/** A row of article12.csv. For a value that is not a scalar, it says whether it was recorded. */
export function article12Row(row: Article12Summary): string {
  const use = readUse(row);
  const erased = erasedFields(row);
  const commitments = commitmentsOf(row.entry);
  const stateOf = (name: PayloadField) => {
    if (erased.includes(name)) return 'erased';
    return commitments[name] === undefined ? 'absent' : 'recorded';
  };
  const cells: Readonly<Record<Column, Cell>> = {
    seq: row.seq,
    decision_id: row.decision_id,
    agent_id: row.agent_id,
    action_type: row.action_type,
    timestamp: formatTimestamp(row.timestamp),
    created_at: formatTimestamp(row.created_at),
    use_start: use.start,
    use_end: use.end,
    confidence: row.confidence,
    human_in_loop: row.human_in_loop,
    reviewer_id: cellOf(use.reviewer_id),
    verifiers: use.verifiers?.map(cellOf).join('; ') ?? null,
    reference_database: cellOf(use.reference_database),
    matched_input: use.matched_input === null ? 'absent' : 'recorded',
    inputs: stateOf('inputs'),
    outputs: stateOf('outputs'),
    alternatives: stateOf('alternatives'),
    metadata: stateOf('metadata'),
    erased_fields: erased.join(' '),
    hash: row.hash,
    prev_hash: row.prev_hash,
  };
  return csvRow(COLUMNS.map((column) => cells[column]));
}

function isStored(row: Article12Summary, name: PayloadField): boolean {
  if (name === 'metadata') return row.metadata !== null;
  return row[`has_${name}`];
}

function textOf(field: Disclosed | null | 'unreadable'): string {
  return field === null || field === 'unreadable' ? 'null' : field.text;
}

function readTime(value: JsonValue): string | null {
  return typeof value === 'string' && parseTimestamp(value) !== null ? value : null;
}

/** Null for a blank text. */
function present(value: JsonValue): JsonValue {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}

function readVerifiers(value: JsonValue): readonly JsonValue[] | null {
  const named = (Array.isArray(value) ? value : [value]).filter((one) => present(one) !== null);
  return named.length === 0 ? null : named;
}

function cellOf(value: JsonValue): string | null {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
