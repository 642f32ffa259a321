import sql, { empty } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type ComparedColumns,
  type Comparison,
  compareRows,
  madeRows,
} from '../../../../platform/projections/differences.js';

/** @param counts decisions by token; sorted, so that concurrent transactions cannot deadlock */
export async function addFrequencies(
  tx: LedgerWriter,
  counts: ReadonlyMap<number, number>,
): Promise<void> {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  await tx.query(sql`
    insert into token_frequencies as f (ledger_id, token, decisions)
    select ${tx.ledgerId}, token, decisions
    from unnest(${sorted.map(([token]) => token)}::integer[],
      ${sorted.map(([, decisions]) => decisions)}::bigint[]) as row (token, decisions)
    on conflict (ledger_id, token) do update set decisions = f.decisions + excluded.decisions`);
}

/** Deletes the tokens that no decision has any more. */
export async function deleteFrequencies(
  tx: LedgerWriter,
  tokens: readonly number[],
): Promise<void> {
  await tx.query(sql`
    delete from token_frequencies
    where ledger_id = ${tx.ledgerId} and token = any(${tokens}::integer[]) and decisions <= 0`);
}

/** @returns the approximate number of decisions with each token; a missing token is rare */
export async function selectFrequencies(
  ledger: LedgerReader,
  tokens: readonly number[],
): Promise<Map<number, number>> {
  const rows = await ledger.query<{ token: number; decisions: number }>(sql`
    select token, decisions from token_frequencies
    where ledger_id = ${ledger.ledgerId} and token = any(${tokens}::integer[])`);
  return new Map(rows.map(({ token, decisions }) => [token, decisions]));
}

const FREQUENCIES: ComparedColumns = {
  table: 'token_frequencies',
  key: ['token'],
  values: ['decisions'],
};

/** Compares the stored counts of some tokens: `from` exclusive, `to` inclusive; null for no limit. */
export async function compareFrequencies(
  ledger: LedgerReader,
  { from, to }: { readonly from: number | null; readonly to: number | null },
  expected: readonly { readonly token: number; readonly decisions: number }[],
): Promise<Comparison> {
  const later = from === null ? empty : sql` and token > ${from}`;
  const earlier = to === null ? empty : sql` and token <= ${to}`;
  const made = madeRows('token_frequencies', expected);
  return compareRows(ledger, FREQUENCIES, made, sql`true${later}${earlier}`);
}

/** @param keys JSON */
export async function deleteFrequencyRows(tx: LedgerWriter, keys: string): Promise<void> {
  await tx.query(sql`
    delete from token_frequencies f
    using json_populate_recordset(null::token_frequencies, ${keys}::json) k
    where f.ledger_id = ${tx.ledgerId} and f.token = k.token`);
}

/** @param rows JSON */
export async function insertFrequencyRows(tx: LedgerWriter, rows: string): Promise<void> {
  await tx.query(sql`
    insert into token_frequencies (ledger_id, token, decisions) select ${tx.ledgerId}, token, decisions
    from json_populate_recordset(null::token_frequencies, ${rows}::json)`);
}
