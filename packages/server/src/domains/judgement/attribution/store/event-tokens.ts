import sql from 'sql-template-tag';
import { timestampArray, uuidArray } from '../../../../platform/binary-array.js';
import type { LedgerWriter } from '../../../../platform/ledger.js';

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
    select ${tx.ledgerId}, token, occurred_at, event_id
    from unnest(${rows.map(({ token }) => token)}::integer[],
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
