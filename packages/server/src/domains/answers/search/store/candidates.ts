import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import type { Place, Slice } from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';
import type { SearchCandidate, SoughtAmount } from '../rules/hit.js';

/** What the indexes are asked for. */
export interface Sought {
  readonly text: string;
  /** UUID, if the text is an id. */
  readonly uuid: string | null;
  /** JSON texts of the values that the text stands for. */
  readonly values: readonly string[];
  /** Search terms of decisions: the values under each known key. */
  readonly terms: readonly number[];
  /** The token under which decisions that hold it as an identifier are indexed. */
  readonly token: number;
  /** The amounts that the text may name. */
  readonly amounts: readonly SoughtAmount[];
}

/** What a person can search for by word, as its index has it. */
const TEXTS = raw("coalesce(e.description, '') || ' ' || coalesce(e.external_id, '')");

/** So many decisions with one of the values are sorted. Of more, the newest are found sooner in the order of time. */
const FEW = 5000;

/**
 * The next records that an index returns for a search, newest first: timestamp, then id, descending. Each
 * says which members of its metadata match as stored now.
 */
export async function selectSearchCandidates(
  ledger: LedgerReader,
  sought: Sought,
  { after, limit }: Slice<Place>,
): Promise<SearchCandidate[]> {
  const { text, uuid, values, terms, token, amounts } = sought;
  const decisions = sql`select 'decision' as kind, d.decision_id as id, d."timestamp" as at
    from decisions d where d.ledger_id = ${ledger.ledgerId}${older('d', after)}`;
  const events = sql`select 'financial_event' as kind, e.event_id as id, e."timestamp" as at
    from financial_events e where e.ledger_id = ${ledger.ledgerId}${older('e', after)}`;
  const keys = sql`array(
    select member.key from json_each(coalesce(d.metadata::json -> 2, e.metadata::json)) as member
    where member.value::text = any(${values}::text[]) order by member.key)`;
  const hasWords = sql`(${text} ~ '[[:alnum:]]' and ledger_words(e.ledger_id, ${TEXTS}) @@
    plainto_tsquery('simple', replace(${ledger.ledgerId}::uuid::text, '-', '') || ' ' ||
      regexp_replace(${text}, '[^[:alnum:]]+', ' ', 'g')))`;
  const first = sql`order by at desc, id desc limit ${limit}`;
  const ofAmounts = amounts.map(
    ({ magnitude }) => sql`union (${events} and abs(e.amount) = ${magnitude}::numeric ${first})`,
  );
  // The planner does not know how rare a value is: in the order of time, it would read all decisions for one that is not there.
  const few = sql`select d.decision_id as id, d."timestamp" as at from decisions d
    where d.ledger_id = ${ledger.ledgerId}${older('d', after)} and d.terms && ${terms}::integer[] limit ${FEW + 1}`;
  return ledger.query<SearchCandidate>(sql`
    with few as materialized (${few}), many as (select count(*) > ${FEW} as is_so from few), found as (
      (${decisions} and d.decision_id = ${uuid}::uuid)
      union (${events} and e.event_id = ${uuid}::uuid)
      union (${events} and e.external_id = ${text} ${first})
      union (${events} and e.metadata is not null
        and metadata_value_terms(e.ledger_id, e.metadata) && array(
          select ('x' || left(md5(${ledger.ledgerId}::uuid::text || value), 8))::bit(32)::integer
          from unnest(${values}::text[]) as value) ${first})
      ${ofAmounts.length === 0 ? empty : join(ofAmounts, ' ')}
      union (${events} and (e.description is not null or e.external_id is not null)
        and ${hasWords} ${first})
      union (select 'decision' as kind, few.id, few.at from few where not (select is_so from many) ${first})
      union (${decisions} and (select is_so from many) and d.terms && ${terms}::integer[] ${first})
      union (${decisions} and d.seq in (${holders(ledger.ledgerId, token, { after, limit })}) ${first})
    ), page as (select * from found ${first})
    select p.kind, p.id, (extract(epoch from p.at) * 1000)::bigint as "timestamp",
      d.agent_id, d.action_type, e.source, e.event_type, e.amount::text as amount, e.currency,
      e.external_id, left(e.description, 200) as description, (extract(epoch from e.deleted_at) * 1000)::bigint as deleted_at,
      ${keys} as keys,
      coalesce(${hasWords}, false) as has_words
    from page p
    left join decisions d
      on d.ledger_id = ${ledger.ledgerId} and d.decision_id = p.id and p.kind = 'decision'
    left join financial_events e
      on e.ledger_id = ${ledger.ledgerId} and e.event_id = p.id and p.kind = 'financial_event'
    order by p.at desc, p.id desc`);
}

/**
 * The newest decisions that hold an identifier, with all that share the time of the last one, and those of
 * the time where the previous page ended.
 */
function holders(ledgerId: string, token: number, { after, limit }: Slice<Place>): Sql {
  const held = sql`select t.seq from decision_tokens t
    where t.ledger_id = ${ledgerId} and t.token = ${token}`;
  const newest = sql`order by t."timestamp" desc fetch first (${limit}::bigint) rows with ties`;
  if (after === null) return sql`${held} ${newest}`;
  const time = instant(after.at);
  return sql`(${held} and t."timestamp" = ${time})
    union all (${held} and t."timestamp" < ${time} ${newest})`;
}

function older(table: 'd' | 'e', after: Place | null): Sql {
  if (after === null) return empty;
  const [time, bound] = [instant(after.at), sql`${after.id}::uuid`];
  if (table === 'd') return sql` and (d."timestamp", d.decision_id) < (${time}, ${bound})`;
  return sql` and (e."timestamp", e.event_id) < (${time}, ${bound})`;
}

/** Decisions of each sample; a longer metadata is not read. */
const SAMPLE = 300;
const MAX_CHARS = 16_384;
/** More would mislead the planner on how many decisions hold one of the values. */
const MAX_KEYS = 100;

/**
 * The most frequent keys of metadata in the newest decisions and in a sample over the whole ledger. Terms of values are
 * indexed by key, so a search without a key tries these.
 */
export async function selectMetadataKeys(ledger: LedgerReader): Promise<readonly string[]> {
  const rows = await ledger.query<{ key: string }>(sql`
    select member.key
    from (
      (select metadata from decisions where ledger_id = ${ledger.ledgerId}
       order by decisions."timestamp" desc, decisions.decision_id desc limit ${SAMPLE})
      union all
      (select metadata from decisions where ledger_id = ${ledger.ledgerId} and seq in (
        select generate_series(1, h.seq, greatest(1, h.seq / ${SAMPLE}::bigint)) from chain_heads h
        where h.ledger_id = ${ledger.ledgerId} and h.chain = 'decisions'))
    ) as sample,
    json_object_keys(case when octet_length(metadata) <= ${MAX_CHARS} then metadata::json -> 2 end)
      as member(key)
    group by member.key order by count(*) desc, member.key limit ${MAX_KEYS}`);
  return rows.map(({ key }) => key);
}
