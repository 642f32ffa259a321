import sql from 'sql-template-tag';
import type { Queryable } from '../../../platform/database.js';
import type { Scope } from '../../../platform/scope.js';

/** A record of the chain of activity about fields that were erased. */
export interface ErasureRow {
  readonly seq: number;
  /** Identifier of the decision. */
  readonly subject: string;
  /** Disclosure; whatever stands there until the chain was verified. */
  readonly data: string | null;
}

/** @param decisionIds identifiers */
export async function selectErasures(
  db: Queryable,
  { ledgerId }: Scope,
  decisionIds: readonly string[],
): Promise<ErasureRow[]> {
  return db.query<ErasureRow>(sql`
    select seq, subject, data from activity
    where ledger_id = ${ledgerId} and type = 'decision.field_erased'
      and subject = any(${decisionIds}::text[])`);
}
