import sql from 'sql-template-tag';
import type { RecordSpan } from '../../../platform/chain/verify.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { ACTIVITY_COLUMNS, type ActivityRecord } from './activity-record.js';

/** Changes in the order of the chain. */
export async function selectRecords(
  db: Queryable,
  { ledgerId }: Scope,
  { first, last, limit }: RecordSpan,
): Promise<ActivityRecord[]> {
  return db.query<ActivityRecord>(sql`
    select ${ACTIVITY_COLUMNS} from activity
    where ledger_id = ${ledgerId} and seq between ${first} and ${last}
    order by seq limit ${limit}`);
}
