import sql, { empty } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import {
  type ComparedColumns,
  type Comparison,
  compareRows,
  madeRows,
  noRows,
} from '../../../../platform/projections/differences.js';

/** The links (UUIDs) after one, in the order of their ids, deleted or not. */
export async function selectLinkIds(
  ledger: LedgerReader,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const later = after === null ? empty : sql` and link_id > ${after}::uuid`;
  const rows = await ledger.query<{ link_id: string }>(sql`
    select link_id from links where ledger_id = ${ledger.ledgerId}${later}
    order by links.link_id limit ${limit}`);
  return rows.map(({ link_id }) => link_id);
}

/** What the records say of a link. */
export interface SaidRow {
  /** UUID. */
  readonly link_id: string;
  readonly verdict: string;
  /** RFC 3339. */
  readonly created_at: string;
}

const REVIEWS: ComparedColumns = {
  table: 'link_reviews',
  key: ['link_id', 'verdict'],
  values: [
    ...['agent_id', 'action_type', 'event_type', 'currency', 'magnitude', 'lag_hours'],
    'created_at',
  ],
};

/**
 * Compares the stored reviews of links (UUIDs) with those that their records state. A review keeps some facts of its link,
 * event and decision.
 */
export async function compareReviews(
  ledger: LedgerReader,
  linkIds: readonly string[],
  said: readonly SaidRow[],
): Promise<Comparison> {
  const expected = sql`
    select s.link_id, s.verdict, d.agent_id, d.action_type, e.event_type, e.currency,
      abs(e.amount) as magnitude,
      (extract(epoch from e."timestamp" - d."timestamp") / 3600)::float8 as lag_hours, s.created_at
    from (${madeRows('link_reviews', said)}) s
    join links l on l.ledger_id = ${ledger.ledgerId} and l.link_id = s.link_id
    join decisions d on d.ledger_id = ${ledger.ledgerId} and d.decision_id = l.decision_id
    join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = l.event_id`;
  return compareRows(ledger, REVIEWS, expected, sql`link_id = any(${linkIds}::uuid[])`);
}

/** Reviews of links that do not exist. */
export async function compareStrayReviews(ledger: LedgerReader): Promise<Comparison> {
  const stored = sql`not exists (select from links l
    where l.ledger_id = ${ledger.ledgerId} and l.link_id = link_reviews.link_id)`;
  return compareRows(ledger, REVIEWS, noRows('link_reviews'), stored);
}

/** Only the owner of the database may delete reviews. @param keys JSON: link and verdict */
export async function deleteReviews(tx: LedgerWriter, keys: string): Promise<void> {
  await tx.query(sql`
    delete from link_reviews r using json_populate_recordset(null::link_reviews, ${keys}::json) k
    where r.ledger_id = ${tx.ledgerId} and r.link_id = k.link_id and r.verdict = k.verdict`);
}

/** @param rows JSON */
export async function insertReviewRows(tx: LedgerWriter, rows: string): Promise<void> {
  await tx.query(sql`
    insert into link_reviews (ledger_id, link_id, verdict, agent_id, action_type, event_type,
      currency, magnitude, lag_hours, created_at)
    select ${tx.ledgerId}, link_id, verdict, agent_id, action_type, event_type, currency, magnitude,
      lag_hours, created_at
    from json_populate_recordset(null::link_reviews, ${rows}::json)`);
}
