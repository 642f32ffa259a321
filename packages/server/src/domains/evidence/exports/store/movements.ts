import { MOVEMENT_TYPES } from '@decision-ledger/proof/activity-types';
import sql, { join, raw } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** A record about the movement of an event. */
export interface MovementRecord {
  readonly seq: number;
  /** Public id of the event, like `lead`. */
  readonly subject: string;
  readonly lead: string;
  /** Disclosure of the times. */
  readonly when: string;
}

const COLUMNS = raw(`seq, subject, data::json -> 2 ->> 'lead' as lead, "when"`);

/** As literals, so that the index of these records is used. */
const TYPES = join(MOVEMENT_TYPES.map((type) => raw(`'${type}'`)));

/** Records after a place in the chain, and up to another one. */
export interface PageOfRecords {
  readonly after: number;
  readonly until: number;
  readonly limit: number;
}

/** Those after a place in the chain, in order. */
export async function selectMovementRecords(
  ledger: LedgerReader,
  { after, until, limit }: PageOfRecords,
): Promise<MovementRecord[]> {
  return ledger.query<MovementRecord>(sql`
    select ${COLUMNS} from activity
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
      and type in (${TYPES})
    order by activity.seq limit ${limit}`);
}

/** A record of a link that a reversal takes from its payment. */
export interface InheritanceRecord {
  readonly seq: number;
  /** Public ids of the report that leads the reversal, and of that of the payment. */
  readonly event: string;
  readonly payment: string;
  /** Disclosure of the times. */
  readonly when: string;
}

/** Those after a place in the chain, in order. */
export async function selectInheritanceRecords(
  ledger: LedgerReader,
  { after, until, limit }: PageOfRecords,
): Promise<InheritanceRecord[]> {
  return ledger.query<InheritanceRecord>(sql`
    select seq, data::json -> 2 ->> 'financial_event_id' as event,
      data::json -> 2 ->> 'inherited_from' as payment, "when"
    from activity
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
      and type = 'link.inherited'
    order by activity.seq limit ${limit}`);
}
