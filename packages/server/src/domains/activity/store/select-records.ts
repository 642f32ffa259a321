import sql from 'sql-template-tag';
import type { RecordSpan } from '../../../platform/chain/verify.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { ACTIVITY_COLUMNS, type ActivityRecord } from './activity-record.js';

/**
 * Changes in the order of the chain: at most so many, and so many bytes, and at least one. The length
 * of a stored text is known without reading it.
 */
export async function selectRecords(
  db: Queryable,
  { ledgerId }: Scope,
  { first, last, limit }: RecordSpan,
): Promise<ActivityRecord[]> {
  return db.query<ActivityRecord>(sql`
    with sized as (
      select seq, sum(octet_length(entry) + coalesce(octet_length(data), 0)) over (order by seq) as bytes
      from (
        select * from activity where ledger_id = ${ledgerId} and seq between ${first} and ${last}
        order by seq limit ${limit}
      ) page
    )
    select ${ACTIVITY_COLUMNS} from activity
    where ledger_id = ${ledgerId} and seq >= ${first} and seq <= (
      select coalesce(max(seq) filter (where bytes <= ${MOST_BYTES}), min(seq)) from sized)
    order by seq`);
}

const MOST_BYTES = 4 * 1024 * 1024;
