import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { ESTIMATE_COLUMNS, type EstimateRow } from './estimate-columns.js';

/** A part of the chain: `after` exclusive, `until` inclusive. */
interface Span {
  readonly after: number;
  readonly until: number;
}

/** An earlier estimate as it is stored; the version is null if its snapshot is gone. */
export interface EarlierEstimate extends Omit<EstimateRow, 'version'> {
  readonly seq: number;
  readonly version: string | null;
}

/** The earlier estimates of a part of the chain, by decision and revision. */
export async function selectEarlier(
  ledger: LedgerReader,
  { after, until }: Span,
): Promise<EarlierEstimate[]> {
  return ledger.query<EarlierEstimate>(sql`
    select e.seq, ${ESTIMATE_COLUMNS} from liability_history e
    left join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledger.ledgerId} and e.seq > ${after} and e.seq <= ${until}
    order by e.seq, e.revision`);
}

/** How many earlier estimates a decision has, and the revision that follows them. */
export interface RevisionsRow {
  readonly seq: number;
  readonly count: number;
  readonly next: number;
}

/** Those of a part of the chain that have earlier estimates. */
export async function selectRevisions(
  ledger: LedgerReader,
  { after, until }: Span,
): Promise<RevisionsRow[]> {
  return ledger.query<RevisionsRow>(sql`
    select seq, count(*) as count, max(revision) + 1 as next from liability_history
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until} group by seq`);
}

/** Which decisions (seqs) of a part of the chain have or had links. */
export async function selectLinkedSeqs(
  ledger: LedgerReader,
  { after, until }: Span,
): Promise<Set<number>> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select d.seq from decisions d
    where d.ledger_id = ${ledger.ledgerId} and d.seq > ${after} and d.seq <= ${until}
      and exists (select from links l
        where l.ledger_id = ${ledger.ledgerId} and l.decision_id = d.decision_id)`);
  return new Set(rows.map(({ seq }) => seq));
}

/** Positions after a decision at which earlier estimates are stored, at most `limit`. */
export async function selectStrayHistory(
  ledger: LedgerReader,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await ledger.query<{ seq: number }>(sql`
    select distinct h.seq from liability_history h
    where h.ledger_id = ${ledger.ledgerId} and h.seq > ${after} and not exists (select from decisions d
      where d.ledger_id = ${ledger.ledgerId} and d.seq = h.seq)
    order by h.seq limit ${limit}`);
  return rows.map(({ seq }) => seq);
}
