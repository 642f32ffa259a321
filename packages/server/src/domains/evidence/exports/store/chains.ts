import type { RunStart } from '@decision-ledger/proof/bundle/manifest';
import sql, { raw } from 'sql-template-tag';
import type { ChainName } from '../../../../platform/chain/head.js';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** The records of a chain with the given seqs. */
export async function selectChainEnds(
  ledger: LedgerReader,
  chain: ChainName,
  seqs: readonly number[],
): Promise<RunStart[]> {
  return ledger.query<RunStart>(sql`
    select seq, encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as prev_hash
    from ${raw(chain)} where ledger_id = ${ledger.ledgerId} and seq = any(${seqs}::bigint[]) order by seq`);
}

/**
 * When the first decision was recorded (ms; null if there is none), and the number of erasures up to a place in
 * the chain of activity.
 */
export async function selectRetention(
  ledger: LedgerReader,
  activitySeq: number,
): Promise<{ readonly oldest: number | null; readonly erasures: number }> {
  const [row] = await ledger.query<{
    readonly oldest: number | null;
    readonly erasures: number;
  }>(sql`
    select
      (select (extract(epoch from d.created_at) * 1000)::bigint from decisions d
        where d.ledger_id = ${ledger.ledgerId} and d.seq = 1) as oldest,
      (select count(*)::integer from activity a where a.ledger_id = ${ledger.ledgerId}
        and a.type = 'decision.field_erased' and a.seq <= ${activitySeq}) as erasures`);
  return row ?? { oldest: null, erasures: 0 };
}

/** A record of the chain of activity with the disclosure of its data. */
export interface ProvableRow {
  readonly seq: number;
  readonly entry: string;
  readonly data: string;
}

/** The records of these types, and those with given seqs, in order. */
export async function selectProvable(
  ledger: LedgerReader,
  types: readonly string[],
  seqs: readonly number[],
): Promise<ProvableRow[]> {
  return ledger.query<ProvableRow>(sql`
    select seq, entry, data from activity
    where ledger_id = ${ledger.ledgerId} and (type = any(${types}::text[]) or seq = any(${seqs}::bigint[]))
      and data is not null
    order by seq`);
}

export interface ActivityEnd {
  /** Seq of the last record of the chain of activity. */
  readonly seq: number;
  /** ms: the database's clock, never before the last record of either chain. */
  readonly now: number;
}

export async function selectActivityEnd(ledger: LedgerReader): Promise<ActivityEnd> {
  const [row] = await ledger.query<ActivityEnd>(sql`
    select a.seq,
      floor(extract(epoch from greatest(clock_timestamp(), a.created_at, d.created_at))
        * 1000)::bigint as now
    from chain_heads a
    join chain_heads d on d.ledger_id = a.ledger_id and d.chain = 'decisions'
    where a.ledger_id = ${ledger.ledgerId} and a.chain = 'activity'`);
  if (row === undefined) throw new Error(`ledger ${ledger.ledgerId} lacks a chain`);
  return row;
}

/** Public ids of the decisions with a field erased after a place in the chain of activity. */
export async function selectErasedSince(ledger: LedgerReader, since: number): Promise<string[]> {
  const rows = await ledger.query<{ subject: string }>(sql`
    select distinct subject from activity
    where ledger_id = ${ledger.ledgerId} and seq > ${since} and type = 'decision.field_erased'`);
  return rows.map(({ subject }) => subject);
}

/** A decision in the chain. */
export interface DecisionPlace {
  readonly seq: number;
  readonly hash: string;
  /** ms. */
  readonly timestamp: number;
}

/** The places of decisions (UUIDs) in the chain. */
export async function selectPlaces(
  ledger: LedgerReader,
  decisionIds: readonly string[],
): Promise<ReadonlyMap<string, DecisionPlace>> {
  const rows = await ledger.query<DecisionPlace & { readonly decision_id: string }>(sql`
    select decision_id, seq, encode(hash, 'hex') as hash,
      (extract(epoch from "timestamp") * 1000)::bigint as "timestamp"
    from decisions
    where ledger_id = ${ledger.ledgerId} and decision_id = any(${decisionIds}::uuid[])`);
  return new Map(rows.map(({ decision_id, ...place }) => [decision_id, place]));
}

/** The last place in the chain of activity with a record of this type; null without one. */
export async function selectLastOfType(
  ledger: LedgerReader,
  type: 'settings.changed' | 'attribution.model_changed',
): Promise<number | null> {
  const [row] = await ledger.query<{ readonly seq: number | null }>(sql`
    select max(seq) as seq from activity where ledger_id = ${ledger.ledgerId} and type = ${type}`);
  return row?.seq ?? null;
}

/** The events (UUIDs) of links (UUIDs). */
export async function selectEventsOfLinks(
  ledger: LedgerReader,
  linkIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await ledger.query<{ readonly link_id: string; readonly event_id: string }>(sql`
    select link_id, event_id from links
    where ledger_id = ${ledger.ledgerId} and link_id = any(${linkIds}::uuid[])`);
  return new Map(rows.map(({ link_id, event_id }) => [link_id, event_id]));
}
