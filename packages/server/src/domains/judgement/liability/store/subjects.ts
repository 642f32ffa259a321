import type { Oversight } from '@decision-ledger/liability/experience';
import type { OutcomesRow } from '@decision-ledger/liability/learning';
import { SIZE_BASE } from '@decision-ledger/liability/sizes';
import type { Provenance } from '@decision-ledger/liability/stated-amounts';
import sql, { raw } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { isAmong, type WhichDecisions } from './estimates.js';

/** A decision to re-estimate, with its current estimate: amounts as decimal text. */
export interface SubjectRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly variant: string;
  readonly denied: boolean;
  readonly reading: number;
  /** ms. */
  readonly timestamp: number;
  readonly confidence: number;
  readonly oversight: Oversight;
  readonly provenance: Provenance | null;
  readonly stated_amount: string | null;
  readonly stated_currency: string | null;
  readonly revision: number;
  readonly snapshot_id: number;
  readonly currency: string;
  readonly exposure: string;
  readonly low: string;
  readonly high: string;
  readonly own_currency: string | null;
  readonly own_exposure: string | null;
  readonly amount_at_risk: string;
  readonly outlier: boolean;
  readonly realised: string;
  readonly open_share: number;
  readonly unconverted: number;
  readonly version: string;
}

export async function selectSubjects(
  ledger: LedgerReader,
  which: WhichDecisions,
): Promise<SubjectRow[]> {
  return ledger.query<SubjectRow>(sql`
    select e.seq, e.decision_id, e.agent_id, e.action_type, e.variant, e.denied, e.reading,
      (extract(epoch from e."timestamp") * 1000)::bigint as "timestamp", e.confidence, e.oversight,
      e.provenance, e.stated_amount::text as stated_amount, e.stated_currency, e.revision, e.snapshot_id, s.currency,
      e.exposure::text as exposure, e.low::text as low, e.high::text as high, e.own_currency,
      e.own_exposure::text as own_exposure, s.version, e.amount_at_risk::text as amount_at_risk, e.outlier, e.realised::text as realised, e.open_share,
      e.unconverted
    from liability_estimates e
    join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where e.ledger_id = ${ledger.ledgerId} and ${isAmong(sql`e.seq`, which)} order by e.seq`);
}

/** A recorded decision: times in ms, payloads as disclosures. */
export interface RecordedRow {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly inputs: string | null;
  readonly outputs: string | null;
  readonly metadata: string | null;
  /** The number of the snapshot that the first estimate is made with. */
  readonly estimate_snapshot: number;
}

/** Recorded decisions. */
export async function selectRecorded(
  ledger: LedgerReader,
  which: WhichDecisions,
): Promise<RecordedRow[]> {
  return ledger.query<RecordedRow>(sql`
    select ${RECORDED} from decisions d
    where d.ledger_id = ${ledger.ledgerId} and ${isAmong(sql`d.seq`, which)} order by d.seq`);
}

/** A decision with the snapshot of its first estimate. */
export interface DecisionSnapshotRow extends RecordedRow {
  /** When the snapshot was taken, ms; null if it is gone. */
  readonly taken_at: number | null;
}

/** Maximum bytes of the payloads of a page. The first decision is always included. */
const PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Decisions after a place in the chain, up to some bytes of payloads, but at least one. The length of a stored text is
 * known without reading it, so that the window does not carry payloads.
 */
async function selectDecisionSnapshots(
  ledger: LedgerReader,
  which: WhichDecisions,
  after: number,
): Promise<DecisionSnapshotRow[]> {
  const isNext = sql`d.ledger_id = ${ledger.ledgerId} and ${isAmong(sql`d.seq`, which)}
    and d.seq > ${after}`;
  const { text, values } = sql`
    select ${RECORDED}, (extract(epoch from s.taken_at) * 1000)::bigint as taken_at
    from decisions d
    left join liability_snapshots s on s.ledger_id = ${ledger.ledgerId}
      and s.snapshot_id = d.estimate_snapshot
    where ${isNext} and d.seq <= (
      select max(p.seq) from (
        select d.seq, row_number() over page as place, sum(coalesce(octet_length(d.inputs), 0)
          + coalesce(octet_length(d.outputs), 0) + coalesce(octet_length(d.metadata), 0)) over page
          as bytes
        from decisions d where ${isNext}
        window page as (order by d.seq rows unbounded preceding)
      ) p where p.place = 1 or p.bytes <= ${PAGE_BYTES})
    order by d.seq`;
  const name = 'seqs' in which ? 'select-decided-seqs' : 'select-decided';
  return ledger.query<DecisionSnapshotRow>({ name, text, values });
}

/** Recorded decisions in the order of the chain, page by page, so that few payloads are in memory. */
export async function* decisionPages(
  ledger: LedgerReader,
  which: WhichDecisions,
): AsyncGenerator<DecisionSnapshotRow[]> {
  const last = 'seqs' in which ? which.seqs.reduce((a, b) => Math.max(a, b), 0) : which.until;
  for (let after = 0; after < last; ) {
    const rows = await selectDecisionSnapshots(ledger, which, after);
    const end = rows.at(-1);
    if (end === undefined) return;
    yield rows;
    after = end.seq;
  }
}

const RECORDED = raw(`d.seq, d.decision_id, d.agent_id, d.action_type, d.confidence,
  d.human_in_loop, (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
  (extract(epoch from d.created_at) * 1000)::bigint as created_at, d.inputs, d.outputs, d.metadata, d.estimate_snapshot`);

/** Times within which losses become known, in ms. */
export interface Maturity {
  readonly asOf: number;
  readonly others: number;
  readonly byActionType: readonly (readonly [actionType: string, ms: number])[];
}

/** Limit of loss ÷ amount at risk. */
const MAX_SEVERE = 10;

/**
 * Outcomes of decisions that may have cost money. One that did counts in full; another one by the share of
 * its maturity that has passed, in which losses become known. Those of which nothing is at risk are left out.
 */
export async function selectLossOutcomes(
  ledger: LedgerReader,
  which: WhichDecisions,
  { asOf, others, byActionType }: Maturity,
): Promise<OutcomesRow[]> {
  return ledger.query<OutcomesRow>(sql`
    select action_type, is_fresh, agent_id, variant, least(9, floor(confidence * 10))::integer
        as confidence_bin,
      oversight, size_band, sum(weight) as decisions, count(*) filter (where realised > 0) as losses,
      sum(weight * o.confidence) as confidence,
      sum(weight * o.confidence * o.confidence) as confidence_squares,
      coalesce(sum(o.confidence) filter (where realised > 0), 0) as confidence_lost,
      coalesce(sum(share), 0)::float8 as severity_sum,
      coalesce(sum(share * share), 0)::float8 as severity_squares,
      count(share) as severity_count
    from (
      select e.action_type, e.agent_id, e.variant, e.confidence, e.oversight, e.realised,
        case when e.realised > 0 then 1 else least(1, greatest(0, (${asOf}::float8 -
          extract(epoch from e."timestamp")::float8 * 1000) / coalesce(m.maturity, ${others}::float8)))
          end as weight,
        e."timestamp" > to_timestamp((${asOf}::float8 - coalesce(m.maturity, ${others}::float8))
          / 1000.0) as is_fresh,
        case when e.realised > 0 and e.amount_at_risk > 0 and e.own_currency is null
          then least(${MAX_SEVERE}, e.realised / e.amount_at_risk) end as share,
        case when e.amount_basis in ('approved', 'claimed') and e.amount_at_risk > 0 and e.own_currency is null
          then floor(ln(e.amount_at_risk::float8) / ln(${SIZE_BASE}::float8))::integer end as size_band
      from liability_estimates e
      left join unnest(${byActionType.map(([type]) => type)}::text[],
        ${byActionType.map(([, ms]) => ms)}::float8[]) as m (action_type, maturity)
        on m.action_type = e.action_type
      where e.ledger_id = ${ledger.ledgerId} and ${isAmong(sql`e.seq`, which)} and not e.denied
        and e.provenance is distinct from 'read'
    ) o
    where weight > 0
    group by 1, 2, 3, 4, 5, 6, 7`);
}
