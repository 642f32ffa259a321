import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

export interface StripeEventRow {
  /** Canonical JSON. */
  readonly payload: string;
  readonly received_by: string;
}

/** Everything that has arrived about a charge, refund or dispute, in the order of arrival. */
export async function selectEventsOfObject(
  tx: Queryable,
  { ledgerId }: Scope,
  objectId: string,
): Promise<StripeEventRow[]> {
  return tx.query<StripeEventRow>(sql`
    select payload, received_by from stripe_events
    where ledger_id = ${ledgerId} and object_id = ${objectId}
    order by received_at, stripe_event_id`);
}
