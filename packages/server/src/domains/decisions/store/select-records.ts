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

/** Decisions in the order of the chain. */
export async function selectRecords(
  db: Queryable,
  { ledgerId }: Scope,
  { first, last, limit }: RecordSpan,
): Promise<DecisionRecordRow[]> {
  const { text, values } = sql`
    select ${DECISION_COLUMNS}, epoch, entry, terms::text as terms from decisions
    where ledger_id = ${ledgerId} and seq between ${first} and ${last}
    order by seq limit ${limit}`;
  return db.query<DecisionRecordRow>({ name: 'select-records', text, values });
}
