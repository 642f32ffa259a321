import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

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
