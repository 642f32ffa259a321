import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { SeqRange } from '../../../../platform/projections/projection.js';

/** What the terms of a decision follow from. */
export interface SearchableRow {
  readonly seq: number;
  readonly agent_id: string;
  readonly action_type: string;
  /** A disclosure; null if it is erased, or was never recorded. */
  readonly metadata: string | null;
}

export async function selectSearchable(
  ledger: LedgerReader,
  { after, until }: SeqRange,
): Promise<SearchableRow[]> {
  return ledger.query<SearchableRow>(sql`
    select seq, agent_id, action_type, metadata from decisions
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
    order by decisions.seq`);
}

export const TERMS = new DerivedRows('decisions', { key: ['seq'], values: ['terms'] });

export async function compareTerms(
  ledger: LedgerReader,
  { after, until }: SeqRange,
  expected: readonly { readonly seq: number; readonly terms: string }[],
): Promise<RowComparison> {
  return TERMS.compare(ledger, TERMS.made(expected), sql`seq > ${after} and seq <= ${until}`);
}
