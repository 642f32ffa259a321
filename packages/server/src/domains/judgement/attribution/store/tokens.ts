import { formatTimestamp } from '@decision-ledger/contract/time';
import sql, { empty, type Sql } from 'sql-template-tag';
import {
  int4Array,
  textArray,
  timestampArray,
  uuidArray,
} from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';
import { instant } from '../../../../platform/statement.js';

/** A decision that holds identifiers. */
export interface HoldingDecision {
  readonly seq: number;
  /** ms. */
  readonly timestamp: number;
  readonly tokens: readonly number[];
}

/** Inserts in the order of the index, whose pages are then still at hand. */
export async function insertDecisionTokens(
  tx: LedgerWriter,
  decisions: readonly HoldingDecision[],
): Promise<void> {
  const rows = decisions
    .flatMap(({ seq, timestamp, tokens }) => tokens.map((token) => ({ token, timestamp, seq })))
    .sort((a, b) => a.token - b.token);
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into decision_tokens (ledger_id, token, "timestamp", seq)
    select own.ledger_id, token, occurred_at, seq::bigint
    from ${ownRow(tx.ledgerId)} as own, unnest(${int4Array(rows, ({ token }) => token)}::integer[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${textArray(rows, ({ seq }) => String(seq))}::text[]) as row (token, occurred_at, seq)`);
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

export const TOKENS = new DerivedRows('decision_tokens', {
  key: ['token', 'timestamp', 'seq'],
  values: [],
});

function within({ after, until }: KeyRange<TokenRow>): Sql {
  const place = ({ token, timestamp, seq }: TokenRow) =>
    sql`(${token}::integer, ${timestamp}::timestamptz, ${seq}::bigint)`;
  const later = after === null ? empty : sql` and (token, "timestamp", seq) > ${place(after)}`;
  const earlier = until === null ? empty : sql` and (token, "timestamp", seq) <= ${place(until)}`;
  return sql`true${later}${earlier}`;
}

/** The rows of a part of the index, in its order. */
export async function selectTokens(
  ledger: LedgerReader,
  range: KeyRange<TokenRow>,
  page: { readonly offset: number; readonly limit: number | null } = { offset: 0, limit: null },
): Promise<TokenRow[]> {
  const rows = await ledger.query<Omit<TokenRow, 'timestamp'> & { readonly at: number }>(sql`
    select token, (extract(epoch from "timestamp") * 1000)::bigint as at, seq from decision_tokens
    where ledger_id = ${ledger.ledgerId} and ${within(range)}
    order by token, decision_tokens."timestamp", seq offset ${page.offset} limit ${page.limit}`);
  return rows.map(({ token, at, seq }) => ({ token, seq, timestamp: formatTimestamp(at) }));
}

/** Compares rows that there should be with the stored ones: those that are missing are found. */
export async function compareTokens(
  ledger: LedgerReader,
  expected: readonly TokenRow[],
): Promise<RowComparison> {
  const made = TOKENS.made(expected);
  const stored = sql`
    (token, "timestamp", seq) in (select m.token, m."timestamp", m.seq from (${made}) m)`;
  return TOKENS.compare(ledger, made, stored);
}

/** Compares a part of the index. */
export async function compareTokenRange(
  ledger: LedgerReader,
  range: KeyRange<TokenRow>,
  expected: readonly TokenRow[],
): Promise<RowComparison> {
  return TOKENS.compare(ledger, TOKENS.made(expected), within(range));
}

/** @param counts decisions by token; sorted, so that concurrent transactions cannot deadlock */
export async function addFrequencies(
  tx: LedgerWriter,
  counts: ReadonlyMap<number, number>,
): Promise<void> {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  await tx.query(sql`
    insert into token_frequencies as f (ledger_id, token, decisions)
    select own.ledger_id, token, decisions
    from ${ownRow(tx.ledgerId)} as own, unnest(${int4Array(sorted, ([token]) => token)}::integer[],
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

/** An event that names identifiers, or is linked to them. */
export interface NamingEvent {
  /** UUID. */
  readonly eventId: string;
  /** ms. */
  readonly timestamp: number;
  readonly tokens: readonly number[];
}

export async function insertEventTokens(
  tx: LedgerWriter,
  events: readonly NamingEvent[],
): Promise<void> {
  const rows = events.flatMap(({ tokens, ...event }) =>
    tokens.map((token) => ({ ...event, token })),
  );
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into event_tokens (ledger_id, token, "timestamp", event_id)
    select own.ledger_id, token, occurred_at, event_id
    from ${ownRow(tx.ledgerId)} as own, unnest(${int4Array(rows, ({ token }) => token)}::integer[],
      ${timestampArray(rows, ({ timestamp }) => timestamp)}::timestamptz[],
      ${uuidArray(rows, ({ eventId }) => eventId)}::uuid[]) as row (token, occurred_at, event_id)
    on conflict do nothing`);
}

/** @param eventId UUID; rows of its own time are searched */
export async function deleteEventTokens(tx: LedgerWriter, eventId: string): Promise<void> {
  await tx.query(sql`
    delete from event_tokens where ledger_id = ${tx.ledgerId} and event_id = ${eventId}`);
}

/** Deletes tokens from events (UUIDs) that are scored again, which restores those that they name. */
export async function deleteTokensOfEvents(
  tx: LedgerWriter,
  tokens: readonly number[],
  eventIds: readonly string[],
): Promise<void> {
  await tx.query(sql`
    delete from event_tokens
    where ledger_id = ${tx.ledgerId} and token = any(${tokens}::integer[])
      and event_id = any(${eventIds}::uuid[])`);
}
