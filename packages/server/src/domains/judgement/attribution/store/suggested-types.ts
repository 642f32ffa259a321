import type { LinkType } from '@decision-ledger/contract/money-signs';
import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** A live suggestion: its type, and what that follows from. */
export interface SuggestedTypeRow {
  /** UUID. */
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  /** Decimal text. */
  readonly amount: string;
  readonly link_type: LinkType;
  readonly reversal: boolean;
}

/** The live suggestions of events (UUIDs). */
export async function selectSuggestedTypes(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<SuggestedTypeRow[]> {
  return ledger.query<SuggestedTypeRow>(sql`
    select e.event_id, e.source, e.event_type, e.amount::text as amount, l.link_type, l.reversal
    from links l
    join financial_events e on e.ledger_id = l.ledger_id and e.event_id = l.event_id
    where l.ledger_id = ${ledger.ledgerId} and l.event_id = any(${eventIds}::uuid[])
      and l.status = 'ML_SUGGESTED' and l.deleted_at is null`);
}
