import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { SeqRange } from '../../../../platform/projections/projection.js';
import { ESTIMATE_COLUMNS, type EstimateRow } from './estimate-columns.js';
import type { SubjectRow } from './subjects.js';

/** A decision's estimate as it is stored, with the facts that it was made from: amounts as decimal text. */
export interface StoredEstimate
  extends EstimateRow,
    Pick<SubjectRow, 'seq' | 'decision_id' | 'agent_id' | 'action_type' | 'confidence'>,
    Pick<SubjectRow, 'variant' | 'denied' | 'reading' | 'timestamp' | 'oversight'>,
    Pick<SubjectRow, 'provenance' | 'stated_amount' | 'stated_currency' | 'currency' | 'version'> {
  readonly stake: string;
  readonly events: number;
  readonly sizes: string;
}

/** The estimates of a part of the chain, in its order. @param after exclusive; `until` inclusive */
export async function selectStoredEstimates(
  ledger: LedgerReader,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<StoredEstimate[]> {
  return ledger.query<StoredEstimate>(sql`
    select e.seq, e.decision_id, e.agent_id, e.action_type, e.confidence, e.variant, e.denied,
      e.reading, (extract(epoch from e."timestamp") * 1000)::bigint as "timestamp", e.oversight,
      e.provenance, e.stated_amount::text as stated_amount, e.stated_currency, e.stake::text as stake, e.events,
      e.sizes::text as sizes, ${ESTIMATE_COLUMNS}
    from liability_estimates e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledger.ledgerId} and e.seq > ${after} and e.seq <= ${until} order by e.seq`);
}

/**
 * Decisions (UUIDs) up to one (seq) whose estimate is missing, at most `limit`. OFFSET keeps one index look-up for each
 * decision: before the tables of a new ledger are analysed, the planner would compare each row of one with all of the other.
 */
export async function selectWithoutEstimate(
  ledger: LedgerReader,
  until: number,
  limit: number,
): Promise<string[]> {
  const rows = await ledger.query<{ decision_id: string }>(sql`
    select d.decision_id from decisions d
    where d.ledger_id = ${ledger.ledgerId} and d.seq <= ${until} and not exists (
      select from liability_estimates e where e.ledger_id = ${ledger.ledgerId} and e.seq = d.seq offset 0)
    order by d.seq limit ${limit}`);
  return rows.map(({ decision_id }) => decision_id);
}

/** The columns that follow from the decision, its links and the snapshot that the estimate names. */
export const DERIVED_COLUMNS = [
  ...['decision_id', 'agent_id', 'action_type', 'timestamp', 'confidence', 'oversight', 'variant'],
  ...[
    'denied',
    'reading',
    'provenance',
    'stated_amount',
    'stated_currency',
    'exposure',
    'low',
    'high',
  ],
  ...['own_currency', 'own_exposure', 'own_low', 'own_high', 'base_rate', 'agent_factor'],
  ...['version_factor', 'confidence_factor', 'human_factor', 'loss_probability', 'uncertainty'],
  ...[
    'is_prior',
    'amount_at_risk',
    'amount_basis',
    'outlier',
    'severity',
    'severity_spread',
    'loss_p50',
  ],
  ...['loss_p95', 'open_share', 'realised', 'unconverted', 'stake', 'events', 'sizes'],
];

export const ESTIMATED = new DerivedRows('liability_estimates', {
  key: ['seq'],
  values: [...DERIVED_COLUMNS, 'revision', 'snapshot_id', 'estimated_at'],
});

/** Compares the estimates of a part of the chain. */
export async function compareEstimates(
  ledger: LedgerReader,
  { after, until }: SeqRange,
  expected: readonly object[],
): Promise<RowComparison> {
  const stored = sql`seq > ${after} and seq <= ${until}`;
  return ESTIMATED.compare(ledger, ESTIMATED.made(expected), stored);
}

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
