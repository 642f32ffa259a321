import sql from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';

/** When a link's event and decision happened, in ms. */
interface LinkTimes {
  readonly event: number;
  readonly decision: number;
}

/** The two ends of a link: UUIDs. */
export interface LinkEnds {
  readonly event_id: string;
  readonly decision_id: string;
}

/** The times of links, in their order; null where the event or the decision does not exist. */
export async function selectTimes(
  ledger: LedgerReader,
  links: readonly LinkEnds[],
): Promise<(LinkTimes | null)[]> {
  const rows = await ledger.query<LinkTimes & { place: number }>(sql`
    select place, (extract(epoch from e."timestamp") * 1000)::bigint as event,
      (extract(epoch from d."timestamp") * 1000)::bigint as decision
    from unnest(${links.map((link) => link.event_id)}::uuid[],
      ${links.map((link) => link.decision_id)}::uuid[]) with ordinality
      as link (event_id, decision_id, place)
    join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = link.event_id
    join decisions d on d.ledger_id = ${ledger.ledgerId} and d.decision_id = link.decision_id`);
  const found = new Map(rows.map(({ place, ...times }) => [place, times]));
  return links.map((_link, at) => found.get(at + 1) ?? null);
}
