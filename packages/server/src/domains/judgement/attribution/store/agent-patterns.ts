import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { DerivedRows, type RowComparison } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';

/** How often reviews of one day confirmed and rejected an agent's action as the cause of an event type. */
export interface PatternRow {
  readonly event_type: string;
  readonly action_type: string;
  readonly agent_id: string;
  /** Days since the epoch. */
  readonly day: number;
  readonly confirmed: number;
  readonly rejected: number;
}

/** Adds counts, which may be negative, to those of a pattern and day. */
export async function addToPattern(tx: LedgerWriter, row: PatternRow): Promise<void> {
  const { event_type, action_type, agent_id, day, confirmed, rejected } = row;
  await tx.query(sql`
    insert into agent_patterns as p (ledger_id, event_type, action_type, agent_id, day, confirmed,
      rejected)
    values (${tx.ledgerId}, ${event_type}, ${action_type}, ${agent_id}, ${day}, ${confirmed},
      ${rejected})
    on conflict (ledger_id, event_type, action_type, agent_id, day) do update
      set confirmed = p.confirmed + excluded.confirmed, rejected = p.rejected + excluded.rejected`);
  await tx.query(sql`
    delete from agent_patterns
    where ledger_id = ${tx.ledgerId} and event_type = ${event_type} and action_type = ${action_type}
      and agent_id = ${agent_id} and day = ${day} and confirmed = 0 and rejected = 0`);
}

export const PATTERNS = new DerivedRows('agent_patterns', {
  key: ['event_type', 'action_type', 'agent_id', 'day'],
  values: ['confirmed', 'rejected'],
});

/** Names the counts of a day. */
export type PatternKey = Pick<PatternRow, 'event_type' | 'action_type' | 'agent_id' | 'day'>;

/** The counts that have the last one of some reviews after a key; null if there are fewer. */
export async function selectEndOfPatterns(
  ledger: LedgerReader,
  after: PatternKey | null,
  reviews: number,
): Promise<PatternKey | null> {
  const [row] = await ledger.query<PatternKey>(sql`
    select event_type, action_type, agent_id, ${DAY} as day from link_reviews r
    where r.ledger_id = ${ledger.ledgerId} and r.verdict <> 'withdrawn'
      ${within(REVIEWED, { after, until: null })}
    order by event_type, action_type, agent_id, created_at offset ${reviews - 1} limit 1`);
  return row ?? null;
}

/** Compares stored counts with those that the log of reviews gives. */
export async function comparePatterns(
  ledger: LedgerReader,
  range: KeyRange<PatternKey>,
): Promise<RowComparison> {
  const { ledgerId } = ledger;
  const counted = sql`
    select r.event_type, r.action_type, r.agent_id, ${DAY} as day,
      (count(*) filter (where r.verdict = 'confirmed'))::int as confirmed,
      (count(*) filter (where r.verdict = 'rejected'))::int as rejected
    from link_reviews r
    where r.ledger_id = ${ledgerId} and r.verdict <> 'withdrawn' ${within(REVIEWED, range)}
      and not exists (select from link_reviews w
        where w.ledger_id = ${ledgerId} and w.link_id = r.link_id and w.verdict = 'withdrawn')
    group by 1, 2, 3, 4`;
  return PATTERNS.compare(ledger, counted, sql`true ${within(COUNTED, range)}`);
}

const DAY = raw('floor(extract(epoch from created_at) / 86400)::int');

/** How rows of a table are ordered: the last column, and its first value after a day. */
interface Order {
  readonly last: Sql;
  after(day: number): Sql;
}

const REVIEWED: Order = {
  last: raw('created_at'),
  after: (day) => sql`to_timestamp(${day + 1}::bigint * 86400)`,
};
const COUNTED: Order = { last: raw('day'), after: (day) => sql`${day + 1}` };

function within({ last, after }: Order, range: KeyRange<PatternKey>): Sql {
  const row = sql`(event_type, action_type, agent_id, ${last})`;
  const next = ({ event_type, action_type, agent_id, day }: PatternKey) =>
    sql`(${event_type}, ${action_type}, ${agent_id}, ${after(day)})`;
  const later = range.after === null ? empty : sql` and ${row} >= ${next(range.after)}`;
  const earlier = range.until === null ? empty : sql` and ${row} < ${next(range.until)}`;
  return sql`${later}${earlier}`;
}
