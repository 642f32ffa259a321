import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';

/**
 * Erases the fields of a decision (UUID) that the last record of the chain of activity names. The
 * database function accepts no other instruction.
 */
export async function callErase(
  tx: Queryable,
  { ledgerId }: Scope,
  decisionId: string,
): Promise<void> {
  await tx.query(sql`select erase_decision_fields(${ledgerId}::uuid, ${decisionId}::uuid)`);
}

/** A record of the chain of activity about fields that were erased. */
export interface ErasureRow {
  readonly seq: number;
  /** Identifier of the decision. */
  readonly subject: string;
  /** Disclosure; not trustworthy until the chain is verified. */
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

/**
 * Seq of the last record about erased fields, whether or not the chain of activity includes it; 0 if
 * there is none. Uses the index on the type.
 */
export async function selectLastErasure(db: Queryable, { ledgerId }: Scope): Promise<number> {
  const [row] = await db.query<{ last: number | null }>(sql`
    select max(seq) as last from activity
    where ledger_id = ${ledgerId} and type = 'decision.field_erased'`);
  return row?.last ?? 0;
}
