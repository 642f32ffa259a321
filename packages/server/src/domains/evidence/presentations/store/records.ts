import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** A decision as it is presented: its entry, and the disclosures of its fields. */
export interface PresentableRow {
  readonly seq: number;
  readonly hash: string;
  readonly entry: string;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly alternatives: string | null;
  readonly metadata: string | null;
}

/** @param decisionId UUID */
export async function selectPresentable(
  ledger: LedgerReader,
  decisionId: string,
): Promise<PresentableRow | null> {
  const [row] = await ledger.query<PresentableRow>(sql`
    select seq, encode(hash, 'hex') as hash, entry, inputs, outputs, alternatives, metadata
    from decisions where ledger_id = ${ledger.ledgerId} and decision_id = ${decisionId}`);
  return row ?? null;
}

/** The record of an erasure. */
export interface ErasureEntryRow {
  readonly seq: number;
  readonly entry: string;
  /** Disclosure. */
  readonly data: string;
}

/**
 * The records of the erasures of a decision, oldest first.
 * @param subject public id of the decision
 */
export async function selectErasureEntries(
  ledger: LedgerReader,
  subject: string,
): Promise<ErasureEntryRow[]> {
  return ledger.query<ErasureEntryRow>(sql`
    select seq, entry, data from activity
    where ledger_id = ${ledger.ledgerId} and type = 'decision.field_erased' and subject = ${subject}
      and data is not null
    order by seq`);
}
