import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

export interface ReceivedEvent {
  /** Stripe's id of the event. */
  readonly id: string;
  /** The charge that it is about or belongs to. */
  readonly chargeId: string;
  /** Canonical JSON. */
  readonly payload: string;
  /** The key of the request. */
  readonly receivedBy: string;
}

/** @returns false for an event that was received before */
export async function insertStripeEvent(
  tx: LedgerWriter,
  { id, chargeId, payload, receivedBy }: ReceivedEvent,
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into stripe_events (ledger_id, stripe_event_id, charge_id, payload, received_by,
      received_at)
    values (${tx.ledgerId}, ${id}, ${chargeId}, ${payload}, ${receivedBy}, now())
    on conflict (ledger_id, stripe_event_id) do nothing returning stripe_event_id`);
  return rows.length === 1;
}

export interface StripeEventRow {
  /** Canonical JSON. */
  readonly payload: string;
  readonly received_by: string;
}

/** All events received about a charge, its refunds and its disputes, in the order of arrival. */
export async function selectEventsOfCharge(
  ledger: LedgerReader,
  chargeId: string,
): Promise<StripeEventRow[]> {
  return ledger.query<StripeEventRow>(sql`
    select payload, received_by from stripe_events
    where ledger_id = ${ledger.ledgerId} and charge_id = ${chargeId}
    order by received_at, stripe_event_id`);
}
