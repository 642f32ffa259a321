import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import type { PreparedEvent } from '../rules/prepare.js';

export interface EventPlace {
  /** UUID. */
  readonly eventId: string;
  /** What it was made from; null for an event that a caller sent. */
  readonly origin: string | null;
  /** UUID. */
  readonly supersedes: string | null;
  /** ms. */
  readonly createdAt: number;
}

export async function insertEvent(
  tx: Queryable,
  { ledgerId }: Scope,
  { body, timestamp, metadata }: PreparedEvent,
  place: EventPlace,
): Promise<void> {
  await tx.query(sql`
    insert into financial_events (ledger_id, event_id, source, event_type, amount, currency,
      external_id, "timestamp", description, metadata, origin, supersedes, created_at)
    values (${ledgerId}, ${place.eventId}, ${body.source}, ${body.event_type},
      ${body.amount}::numeric, ${body.currency}, ${body.external_id ?? null},
      to_timestamp(${timestamp}::bigint / 1000.0), ${body.description ?? null}, ${metadata},
      ${place.origin}, ${place.supersedes}, to_timestamp(${place.createdAt}::bigint / 1000.0))`);
}
