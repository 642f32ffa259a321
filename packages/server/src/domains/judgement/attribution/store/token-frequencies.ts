import sql, { empty } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';

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

export const FREQUENCIES = new DerivedRows('token_frequencies', {
  key: ['token'],
  values: ['decisions'],
});

/** Compares the stored counts of some tokens. */
export async function compareFrequencies(
  ledger: LedgerReader,
  { after, until }: KeyRange<number>,
  expected: readonly { readonly token: number; readonly decisions: number }[],
): Promise<RowComparison> {
  const later = after === null ? empty : sql` and token > ${after}`;
  const earlier = until === null ? empty : sql` and token <= ${until}`;
  return FREQUENCIES.compare(ledger, FREQUENCIES.made(expected), sql`true${later}${earlier}`);
}
