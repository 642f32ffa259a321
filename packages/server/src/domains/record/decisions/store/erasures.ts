import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';

/**
 * Erases the fields of a decision (UUID) that the last record of the chain of activity names. The
 * database function accepts no other instruction.
 */
export async function callErase(tx: LedgerWriter, decisionId: string): Promise<void> {
  await tx.query(sql`select erase_decision_fields(${tx.ledgerId}::uuid, ${decisionId}::uuid)`);
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
  ledger: LedgerReader,
  decisionIds: readonly string[],
): Promise<ErasureRow[]> {
  return ledger.query<ErasureRow>(sql`
    select seq, subject, data from activity
    where ledger_id = ${ledger.ledgerId} and type = 'decision.field_erased'
      and subject = any(${decisionIds}::text[])`);
}

/**
 * Seq of the last record about erased fields, whether or not the chain of activity includes it; 0 if
 * there is none. Uses the index on the type.
 */
export async function selectLastErasure(ledger: LedgerReader): Promise<number> {
  const { text, values } = sql`
    select max(seq) as last from activity
    where ledger_id = ${ledger.ledgerId} and type = 'decision.field_erased'`;
  const [row] = await ledger.query<{ last: number | null }>({
    ...{ name: 'select-last-erasure', text, values },
  });
  return row?.last ?? 0;
}
