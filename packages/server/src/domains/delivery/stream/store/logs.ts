import sql, { raw } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { StreamPosition } from '../rules/position.js';

/** A range of records of one log. */
export interface LogRange {
  /** Excluded. */
  readonly after: number;
  /** Included. */
  readonly last: number;
  readonly limit: number;
}

/** A record of the activity chain. */
export interface StreamedActivity {
  readonly seq: number;
  readonly activity_id: string;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  /** ms. */
  readonly created_at: number;
  /** A disclosure; null for types that are not sent. */
  readonly data: string | null;
}

/** Limited by rows and by the bytes of a page. @param types types whose data is read */
export async function selectActivity(
  ledger: LedgerReader,
  { after, last, limit }: LogRange,
  types: readonly string[],
): Promise<PageRows<StreamedActivity>> {
  const isRead = sql`type = any(${types}::text[])`;
  const columns = sql`seq, activity_id, type, actor, subject,
      (extract(epoch from created_at) * 1000)::bigint as created_at,
      case when ${isRead} then data end as data`;
  const rows = sql`
    select * from activity
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${last}
    order by seq`;
  const bytes = sql`case when ${isRead} then coalesce(octet_length(data), 0) else 0 end`;
  return selectPageRows<StreamedActivity>(ledger, { ...PAGE, columns, rows, bytes }, limit);
}

const PAGE = { table: raw('activity'), order: raw('seq') };

/**
 * @param decisionIds UUIDs
 * @returns the agent of each decision, by UUID
 */
export async function selectAgents(
  ledger: LedgerReader,
  decisionIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await ledger.query<{ decision_id: string; agent_id: string }>(sql`
    select decision_id, agent_id from decisions
    where ledger_id = ${ledger.ledgerId} and decision_id = any(${decisionIds}::uuid[])`);
  return new Map(rows.map(({ decision_id, agent_id }) => [decision_id, agent_id]));
}

export interface AnnouncementRow {
  readonly seq: number;
  readonly type: string;
  readonly subject: string;
  /** JSON. */
  readonly data: string;
  /** ms. */
  readonly created_at: number;
}

interface Joined extends Omit<AnnouncementRow, 'seq'> {
  readonly seq: number | null;
  readonly pruned_seq: number;
}

export interface Announced {
  readonly rows: AnnouncementRow[];
  /** Sequence number of the last announcement that was deleted for its age, read in the same state. */
  readonly prunedSeq: number;
}

export async function selectAnnouncements(
  ledger: LedgerReader,
  { after, last, limit }: LogRange,
): Promise<Announced> {
  const joined = await ledger.query<Joined>(sql`
    select a.seq, a.type, a.subject, a.data, h.pruned_seq,
      (extract(epoch from a.created_at) * 1000)::bigint as created_at
    from announcement_heads h
    left join announcements a
      on a.ledger_id = h.ledger_id and a.seq > ${after} and a.seq <= ${last}
    where h.ledger_id = ${ledger.ledgerId}
    order by a.seq limit ${limit}`);
  const rows = joined.flatMap(({ seq, ...row }) => (seq === null ? [] : { seq, ...row }));
  return { rows, prunedSeq: joined[0]?.pruned_seq ?? 0 };
}

/** A decision without its payload. Times in ms, hashes in hexadecimal. */
export interface StreamedDecision {
  readonly seq: number;
  readonly decision_id: string;
  readonly agent_id: string;
  readonly action_type: string;
  readonly confidence: number;
  readonly human_in_loop: boolean;
  readonly timestamp: number;
  readonly created_at: number;
  readonly hash: string;
  readonly prev_hash: string;
  /** Decimals; null without an estimate. */
  readonly exposure: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly currency: string | null;
}

export async function selectStreamedDecisions(
  ledger: LedgerReader,
  { after, last, limit }: LogRange,
): Promise<StreamedDecision[]> {
  const { text, values } = sql`
    select d.seq, d.decision_id, d.agent_id, d.action_type, d.confidence, d.human_in_loop,
      (extract(epoch from d."timestamp") * 1000)::bigint as "timestamp",
      (extract(epoch from d.created_at) * 1000)::bigint as created_at,
      encode(d.hash, 'hex') as hash, encode(d.prev_hash, 'hex') as prev_hash,
      coalesce(e.own_exposure, e.exposure) as exposure, coalesce(e.own_low, e.low) as low,
      coalesce(e.own_high, e.high) as high, coalesce(e.own_currency, s.currency) as currency
    from decisions d
    left join liability_estimates e on e.ledger_id = d.ledger_id and e.seq = d.seq
    left join liability_snapshots s on s.ledger_id = e.ledger_id and s.snapshot_id = e.snapshot_id
    where d.ledger_id = ${ledger.ledgerId} and d.seq > ${after} and d.seq <= ${last}
    order by d.seq limit ${limit}`;
  return ledger.query<StreamedDecision>({ name: 'stream-decisions', text, values });
}

/** The ends of all logs, read in one state: a record never precedes one that it depends on. */
export async function selectHeads(ledger: LedgerReader): Promise<StreamPosition> {
  const { text, values } = sql`
    select
      (select seq from chain_heads where ledger_id = ${ledger.ledgerId} and chain = 'decisions')
        as decisions,
      (select seq from chain_heads where ledger_id = ${ledger.ledgerId} and chain = 'activity')
        as activity,
      coalesce((select seq from announcement_heads where ledger_id = ${ledger.ledgerId}), 0)
        as announcements`;
  const [row] = await ledger.query<StreamPosition>({ name: 'stream-heads', text, values });
  if (row === undefined) throw new Error('the heads of a ledger were not returned');
  return row;
}
