import sql from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type ComparedColumns,
  type Comparison,
  compareRows,
  madeRows,
} from '../../../../platform/projections/differences.js';
import type { Span } from '../../../../platform/projections/parts.js';

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
  { after, until }: Span,
): Promise<SearchableRow[]> {
  return ledger.query<SearchableRow>(sql`
    select seq, agent_id, action_type, metadata from decisions
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
    order by decisions.seq`);
}

const TERMS: ComparedColumns = { table: 'decisions', key: ['seq'], values: ['terms'] };

export async function compareTerms(
  ledger: LedgerReader,
  { after, until }: Span,
  expected: readonly { readonly seq: number; readonly terms: string }[],
): Promise<Comparison> {
  const made = madeRows('decisions', expected);
  return compareRows(ledger, TERMS, made, sql`seq > ${after} and seq <= ${until}`);
}

/** Stores the terms that should be there: only the owner of the database may. @param rows JSON */
export async function updateTerms(tx: LedgerWriter, rows: string): Promise<void> {
  await tx.query(sql`
    update decisions d set terms = n.terms
    from json_populate_recordset(null::decisions, ${rows}::json) n
    where d.ledger_id = ${tx.ledgerId} and d.seq = n.seq`);
}
