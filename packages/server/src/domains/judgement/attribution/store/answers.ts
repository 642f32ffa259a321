import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { type PageRows, pageOf, type Slice } from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import { isStanding } from './reviews.js';

/** Who answers: whoever has the key, or the person with this name in any session. */
export type Person = { readonly key: string } | { readonly name: string };

/** Times in ms; the end is exclusive. */
export interface AnswerRange {
  readonly start: number;
  readonly end: number | undefined;
  /** Only what this person answered. */
  readonly person?: Person;
}

/** An answer that stands. */
export interface AnswerRow {
  readonly seq: number;
  /** UUID, like `decision_id`. */
  readonly event_id: string;
  readonly verdict: 'cause' | 'not_cause' | 'none' | 'skipped';
  /** Null for an answer about the event as a whole. */
  readonly decision_id: string | null;
  /** UUIDs: the links whose deletion takes the answer back. */
  readonly links: readonly string[];
  readonly answered_by: string;
  /** Of the person whose session it was; null for a key. */
  readonly name: string | null;
  /** ms. */
  readonly created_at: number;
}

/** The answers of a range that stand, newest first. Rejections that are part of another answer belong to it. */
export async function selectAnswers(
  ledger: LedgerReader,
  range: AnswerRange,
  { after, limit }: Slice<number>,
): Promise<PageRows<AnswerRow>> {
  const rows = await ledger.query<AnswerRow>(sql`
    select r.seq, r.event_id, r.verdict, r.decision_id, r.answered_by, ${NAME} as name,
      (extract(epoch from r.created_at) * 1000)::bigint as created_at,
      case when r.link_id is not null then array[r.link_id::text]
        else ${partsOf(ledger.ledgerId)} end as links
    from event_reviews r
    where r.ledger_id = ${ledger.ledgerId} and ${isAnswer(ledger.ledgerId, range)}${after === null ? empty : sql` and r.seq < ${after}`}
      and not (r.verdict = 'not_cause' and exists (select from event_reviews whole
        where whole.ledger_id = ${ledger.ledgerId} and whole.event_id = r.event_id
          and whole.link_id is null and whole.verdict = 'none'
          and whole.created_at = r.created_at and whole.answered_by = r.answered_by))
    order by r.created_at desc, r.seq desc limit ${limit + 1}`);
  return pageOf(rows, limit);
}

/** An author is the id of a key, or the name and the id of a session. */
const NAME = raw(String.raw`substring(r.answered_by from '^(.*) \(ses_[0-9a-z]+\)$')`);

/** Condition on a row `r` of the ledger. */
function isAnswer(ledgerId: string, { start, end, person }: AnswerRange): Sql {
  const earlier = end === undefined ? empty : sql` and r.created_at < ${instant(end)}`;
  return sql`r.answered_by is not null
    and r.created_at >= ${instant(start)}${earlier}${by(person)} and ${isStanding(ledgerId)}`;
}

function by(person: Person | undefined): Sql {
  if (person === undefined) return empty;
  return 'key' in person
    ? sql` and r.answered_by = ${person.key}`
    : sql` and ${NAME} = ${person.name}`;
}

/** The links that an answer about the event of a row `r` rejected. */
function partsOf(ledgerId: string): Sql {
  return sql`array(select part.link_id::text from event_reviews part
    where part.ledger_id = ${ledgerId} and part.event_id = r.event_id
      and part.verdict = 'not_cause' and part.created_at = r.created_at
      and part.answered_by = r.answered_by order by part.seq)`;
}

/** Events whose cause, or its absence, was named, in one currency. */
export interface AnsweredEventsRow {
  readonly currency: string;
  readonly events: number;
  /** Decimal text: the sum without signs. */
  readonly amount: string;
}

export async function selectAnsweredEvents(
  ledger: LedgerReader,
  range: AnswerRange,
): Promise<AnsweredEventsRow[]> {
  return ledger.query<AnsweredEventsRow>(sql`
    select e.currency, count(*) as events, sum(abs(e.amount))::text as amount
    from (
      select distinct r.event_id from event_reviews r
      where r.ledger_id = ${ledger.ledgerId} and ${isAnswer(ledger.ledgerId, range)} and r.verdict in ('cause', 'none')
    ) decided
    join financial_events e on e.ledger_id = ${ledger.ledgerId} and e.event_id = decided.event_id
    where e.deleted_at is null
    group by e.currency order by e.currency`);
}
