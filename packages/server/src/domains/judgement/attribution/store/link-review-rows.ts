import sql, { empty, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';

/** The links (UUIDs) of a range, in the order of their ids, deleted or not. */
export async function selectLinkIds(
  ledger: LedgerReader,
  range: KeyRange<string>,
): Promise<string[]> {
  const rows = await ledger.query<{ link_id: string }>(sql`
    select link_id from links where ledger_id = ${ledger.ledgerId} and ${within(range)}
    order by links.link_id`);
  return rows.map(({ link_id }) => link_id);
}

/** The last one of some links after an id; null if there are fewer. */
export async function selectEndOfLinks(
  ledger: LedgerReader,
  after: string | null,
  count: number,
): Promise<string | null> {
  const [row] = await ledger.query<{ link_id: string }>(sql`
    select link_id from links
    where ledger_id = ${ledger.ledgerId} and ${within({ after, until: null })}
    order by links.link_id offset ${count - 1} limit 1`);
  return row?.link_id ?? null;
}

function within({ after, until }: KeyRange<string>): Sql {
  const later = after === null ? empty : sql` and link_id > ${after}::uuid`;
  const earlier = until === null ? empty : sql` and link_id <= ${until}::uuid`;
  return sql`true${later}${earlier}`;
}

/** What the records say of a link. */
export interface SaidRow {
  /** UUID. */
  readonly link_id: string;
  readonly verdict: string;
  /** RFC 3339. */
  readonly created_at: string;
}

export const REVIEWS = new DerivedRows('link_reviews', {
  key: ['link_id', 'verdict'],
  values: [
    ...['agent_id', 'action_type', 'event_type', 'currency', 'magnitude', 'lag_hours'],
    'created_at',
  ],
});

/**
 * Compares the stored reviews of a range of links (UUIDs) with those that their records state. A review keeps some facts of
 * its link, event and decision.
 */
export async function compareReviews(
  ledger: LedgerReader,
  links: KeyRange<string>,
  said: readonly SaidRow[],
): Promise<RowComparison> {
  const expected = sql`
    select s.link_id, s.verdict, d.agent_id, d.action_type, e.event_type, e.currency,
      abs(e.amount) as magnitude,
      (extract(epoch from e."timestamp" - d."timestamp") / 3600)::float8 as lag_hours, s.created_at
    from (${REVIEWS.made(said)}) s
    join links l on l.ledger_id = ${ledger.ledgerId} and l.link_id = s.link_id
    join decisions d on d.ledger_id = ${ledger.ledgerId} and d.decision_id = l.decision_id
    join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = l.event_id`;
  return REVIEWS.compare(ledger, expected, within(links));
}
