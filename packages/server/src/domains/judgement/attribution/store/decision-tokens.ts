import { formatTimestamp } from '@decision-ledger/contract/time';
import sql, { empty, type Sql } from 'sql-template-tag';
import { textArray, timestampArray } from '../../../../platform/binary-array.js';
import { instant } from '../../../../platform/instant.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type ComparedColumns,
  type Comparison,
  compareRows,
  madeRows,
} from '../../../../platform/projections/differences.js';

/** A decision that holds identifiers. */
export interface HoldingDecision {
  readonly seq: number;
  /** ms. */
  readonly timestamp: number;
  readonly tokens: readonly number[];
}

export async function insertDecisionTokens(
  tx: LedgerWriter,
  decisions: readonly HoldingDecision[],
): Promise<void> {
  const rows = decisions.flatMap(({ tokens, ...decision }) =>
    tokens.map((token) => ({ ...decision, token })),
  );
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into decision_tokens (ledger_id, token, "timestamp", seq)
    select ${tx.ledgerId}, token, occurred_at, seq::bigint
    from unnest(${rows.map(({ token }) => token)}::integer[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${textArray(rows, ({ seq }) => String(seq))}::text[]) as row (token, occurred_at, seq)
    on conflict do nothing`);
}

export async function deleteDecisionTokens(
  tx: LedgerWriter,
  { seq, timestamp, tokens }: HoldingDecision,
): Promise<void> {
  await tx.query(sql`
    delete from decision_tokens
    where ledger_id = ${tx.ledgerId} and token = any(${tokens}::integer[])
      and "timestamp" = ${instant(timestamp)}
      and seq = ${seq}`);
}

/** A row of the index. */
export interface TokenRow {
  readonly token: number;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly seq: number;
}

const TOKENS: ComparedColumns = {
  table: 'decision_tokens',
  key: ['token', 'timestamp', 'seq'],
  values: [],
};

/** A part of the index: the first row exclusive, the last inclusive; null for no limit. */
interface TokenRange {
  readonly from: TokenRow | null;
  readonly to: TokenRow | null;
}

function within({ from, to }: TokenRange): Sql {
  const place = ({ token, timestamp, seq }: TokenRow) =>
    sql`(${token}::integer, ${timestamp}::timestamptz, ${seq}::bigint)`;
  const later = from === null ? empty : sql` and (token, "timestamp", seq) > ${place(from)}`;
  const earlier = to === null ? empty : sql` and (token, "timestamp", seq) <= ${place(to)}`;
  return sql`true${later}${earlier}`;
}

/** The rows of a part of the index, in its order. */
export async function selectTokens(
  ledger: LedgerReader,
  from: TokenRow | null,
  to: TokenRow | null,
  limit: number,
): Promise<TokenRow[]> {
  const rows = await ledger.query<Omit<TokenRow, 'timestamp'> & { readonly at: number }>(sql`
    select token, (extract(epoch from "timestamp") * 1000)::bigint as at, seq from decision_tokens
    where ledger_id = ${ledger.ledgerId} and ${within({ from, to })}
    order by token, decision_tokens."timestamp", seq limit ${limit}`);
  return rows.map(({ token, at, seq }) => ({ token, seq, timestamp: formatTimestamp(at) }));
}

/** Compares rows that there should be with the stored ones: those that are missing are found. */
export async function compareTokens(
  ledger: LedgerReader,
  expected: readonly TokenRow[],
): Promise<Comparison> {
  const made = madeRows('decision_tokens', expected);
  return compareRows(
    ledger,
    TOKENS,
    made,
    sql`(token, "timestamp", seq) in (select m.token, m."timestamp", m.seq from (${made}) m)`,
  );
}

/** Compares a part of the index. */
export async function compareTokenRange(
  ledger: LedgerReader,
  range: TokenRange,
  expected: readonly TokenRow[],
): Promise<Comparison> {
  return compareRows(ledger, TOKENS, madeRows('decision_tokens', expected), within(range));
}

/** @param keys JSON */
export async function deleteTokens(tx: LedgerWriter, keys: string): Promise<void> {
  await tx.query(sql`
    delete from decision_tokens t
    using json_populate_recordset(null::decision_tokens, ${keys}::json) k
    where t.ledger_id = ${tx.ledgerId} and t.token = k.token and t."timestamp" = k."timestamp"
      and t.seq = k.seq`);
}

/** @param rows JSON */
export async function insertTokenRows(tx: LedgerWriter, rows: string): Promise<void> {
  await tx.query(sql`
    insert into decision_tokens (ledger_id, token, "timestamp", seq)
    select ${tx.ledgerId}, token, "timestamp", seq
    from json_populate_recordset(null::decision_tokens, ${rows}::json)`);
}
