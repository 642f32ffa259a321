import sql from 'sql-template-tag';
import type { Queryable } from '../../../../platform/database.js';
import type { Scope } from '../../../../platform/scope.js';
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
  db: Queryable,
  { ledgerId }: Scope,
  { after, until }: Span,
): Promise<EarlierEstimate[]> {
  return db.query<EarlierEstimate>(sql`
    select e.seq, ${ESTIMATE_COLUMNS} from liability_history e
    left join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledgerId} and e.seq > ${after} and e.seq <= ${until}
    order by e.seq, e.revision`);
}

/** Which decisions (seqs) of a part of the chain have or had links. */
export async function selectLinked(
  db: Queryable,
  { ledgerId }: Scope,
  { after, until }: Span,
): Promise<Set<number>> {
  const rows = await db.query<{ seq: number }>(sql`
    select d.seq from decisions d
    where d.ledger_id = ${ledgerId} and d.seq > ${after} and d.seq <= ${until}
      and exists (select from links l
        where l.ledger_id = ${ledgerId} and l.decision_id = d.decision_id)`);
  return new Set(rows.map(({ seq }) => seq));
}

/** Positions after a decision at which earlier estimates are stored, at most `limit`. */
export async function selectStrayHistory(
  db: Queryable,
  { ledgerId }: Scope,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await db.query<{ seq: number }>(sql`
    select distinct h.seq from liability_history h
    where h.ledger_id = ${ledgerId} and h.seq > ${after} and not exists (select from decisions d
      where d.ledger_id = ${ledgerId} and d.seq = h.seq)
    order by h.seq limit ${limit}`);
  return rows.map(({ seq }) => seq);
}
