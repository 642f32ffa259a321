import sql from 'sql-template-tag';
import type { RecordSpan } from '../../../platform/chain/verify.js';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';
import { DECISION_COLUMNS, type DecisionRow } from './decision-row.js';

/** A stored decision with everything the verification looks at. */
export interface DecisionRecordRow extends DecisionRow {
  readonly epoch: number;
  readonly entry: string;
  readonly terms: string;
}

/**
 * Decisions in the order of the chain: at most so many, and so many bytes, and at least one. The
 * length of a stored text is known without reading it.
 */
export async function selectRecords(
  db: Queryable,
  { ledgerId }: Scope,
  { first, last, limit }: RecordSpan,
): Promise<DecisionRecordRow[]> {
  const { text, values } = sql`
    with sized as (
      select seq, sum(octet_length(entry) + coalesce(octet_length(inputs), 0)
        + coalesce(octet_length(outputs), 0) + coalesce(octet_length(alternatives), 0)
        + coalesce(octet_length(metadata), 0)) over (order by seq) as bytes
      from (
        select * from decisions where ledger_id = ${ledgerId} and seq between ${first} and ${last}
        order by seq limit ${limit}
      ) page
    )
    select ${DECISION_COLUMNS}, epoch, entry, terms::text as terms from decisions
    where ledger_id = ${ledgerId} and seq >= ${first} and seq <= (
      select coalesce(max(seq) filter (where bytes <= ${MOST_BYTES}), min(seq)) from sized)
    order by seq`;
  return db.query<DecisionRecordRow>({ name: 'select-records', text, values });
}

/** A thousand records of a mebibyte each would be more than a thread can hold. */
const MOST_BYTES = 4 * 1024 * 1024;
