import { formatTimestamp } from '@decision-ledger/contract/time';
import { parseJson } from '@decision-ledger/proof/gate';
import { sha256Hex } from '@decision-ledger/proof/hash';
import { briefText } from '@decision-ledger/proof/replay/state';
import sql, { empty, raw } from 'sql-template-tag';
import { idToUuid, uuidToId } from '../../../../platform/ids.js';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { ColumnForm, RowTable } from '../../../../tables/column.js';

type Value = string | number | boolean | readonly string[] | null;
type RawRow = Readonly<Record<string, Value>>;

/** A stored row: the columns that records state, as brief texts. */
export interface StoredRow {
  /** As stored; rows are read in its order. */
  readonly key: string;
  /** The subject of its records. */
  readonly subject: string;
  readonly columns: ReadonlyMap<string, string | null>;
}

/** The rows after a key, in the order of keys. */
export async function selectTableRows(
  ledger: LedgerReader,
  table: RowTable,
  after: string | null,
  limit: number,
): Promise<StoredRow[]> {
  const { key, keyType, condition } = table;
  const columns = Object.entries(table.columns).map(([name, form]) => expression(name, form));
  const later = after === null ? empty : sql` and ${raw(key)} > ${after}::${raw(keyType)}`;
  const only = condition === null ? empty : raw(` and ${condition}`);
  const rows = await ledger.query<RawRow>(sql`
    select ${raw(key)} as row_key, ${raw(columns.join(', '))} from ${raw(table.table)}
    where ledger_id = ${ledger.ledgerId}${later}${only}
    order by ${raw(`${table.table}.${key}`)} limit ${limit}`);
  return rows.map((row) => readRow(table, row));
}

/** Which of some objects have a row. */
export async function selectExisting(
  ledger: LedgerReader,
  table: RowTable,
  subjects: readonly string[],
): Promise<Set<string>> {
  const keys = subjects.flatMap((subject) => keyOf(table, subject) ?? []);
  if (keys.length === 0) return new Set();
  const only = table.condition === null ? empty : raw(` and ${table.condition}`);
  const rows = await ledger.query<{ row_key: string }>(sql`
    select ${raw(table.key)} as row_key from ${raw(table.table)}
    where ledger_id = ${ledger.ledgerId} and ${raw(table.key)} = any(${keys}::${raw(table.keyType)}[])${only}`);
  return new Set(rows.map(({ row_key }) => subjectOf(table, row_key)));
}

function subjectOf({ prefix }: RowTable, key: string): string {
  return prefix === null ? key : uuidToId(prefix, key);
}

function keyOf({ prefix }: RowTable, subject: string): string | null {
  return prefix === null ? subject : idToUuid(prefix, subject);
}

function expression(name: string, form: ColumnForm): string {
  const column = `"${name}"`;
  switch (form) {
    case 'time':
      return `(extract(epoch from ${column}) * 1000)::bigint as ${column}`;
    case 'decimal':
      return `${column}::text as ${column}`;
    case 'number':
      return `${column}::float8 as ${column}`;
    case 'hash':
    case 'digest':
      return `encode(${column}, 'hex') as ${column}`;
    default:
      return column;
  }
}

function readRow(table: RowTable, row: RawRow): StoredRow {
  const key = String(row.row_key);
  const columns = Object.entries(table.columns).map(([name, form]): [string, string | null] => {
    const value = row[name] ?? null;
    return [name, value === null ? null : textOf(form, value)];
  });
  return { key, subject: subjectOf(table, key), columns: new Map(columns) };
}

function textOf(form: ColumnForm, value: Exclude<Value, null>): string {
  switch (form) {
    case 'text':
    case 'decimal':
    case 'hash':
      return briefText(String(value));
    case 'number':
      return briefText(Number(value));
    case 'boolean':
      return briefText(value === true);
    case 'time':
      return briefText(formatTimestamp(Number(value)));
    case 'json':
      return jsonText(String(value));
    case 'list':
      return briefText(Array.isArray(value) ? [...value] : []);
    case 'digest':
      return briefText(sha256Hex(String(value)));
    case 'id dec':
      return briefText(uuidToId('dec', String(value)));
    case 'id evt':
      return briefText(uuidToId('evt', String(value)));
    case 'id lnk':
      return briefText(uuidToId('lnk', String(value)));
    case 'id key':
      return briefText(uuidToId('key', String(value)));
  }
}

function jsonText(text: string): string {
  try {
    return briefText(parseJson(text));
  } catch {
    return `sha256:${sha256Hex(text)}`;
  }
}

/** The UUIDs of decisions, by their positions in the chain. */
export async function selectDecisionIds(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (seqs.length === 0) return new Map();
  const rows = await ledger.query<{ seq: number; decision_id: string }>(sql`
    select seq, decision_id from decisions
    where ledger_id = ${ledger.ledgerId} and seq = any(${seqs}::bigint[])`);
  return new Map(rows.map(({ seq, decision_id }) => [seq, decision_id]));
}
