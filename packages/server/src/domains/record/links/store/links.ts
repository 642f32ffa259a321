import type { Link } from '@decision-ledger/contract/link';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import {
  type PageRows,
  type Place,
  type Slice,
  selectPageRows,
} from '../../../../platform/page.js';
import type { Scope } from '../../../../platform/principal.js';
import { instant } from '../../../../platform/statement.js';
import { isReviewQueue, type LinkFilter } from '../rules/status.js';

export interface EvidenceRange {
  /** ms; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Decisions after this place in the chain are not part of the range. */
  readonly lastSeq: number;
  /** Conditions on rows of `decisions`, starting with ` and `, that choose some of them. */
  readonly only?: Sql;
  /** Events (UUIDs) that are of the range, whenever they happened. */
  readonly partners?: readonly string[];
}

/**
 * Links of a decision or of an event of a range, including deleted ones, oldest first; of chosen decisions, the
 * confirmed ones. Scans all links of the ledger.
 * @param after created_at (ms) and UUID of the last link of the previous page
 */
export async function selectLinkEvidence(
  ledger: LedgerReader,
  range: EvidenceRange,
  after: { readonly createdAt: number; readonly linkId: string } | null,
  limit: number,
): Promise<readonly LinkRow[]> {
  const rows = sql`
    select * from links
    where ledger_id = ${ledger.ledgerId}${newerThan(after)} and ${range.only !== undefined ? isOfChosen(ledger.ledgerId, range) : touches(ledger.ledgerId, range)}
    order by links.created_at, links.link_id`;
  const source = { ...SOURCE, rows, order: raw('created_at, link_id') };
  return (await selectPageRows<LinkRow>(ledger, source, limit)).rows;
}

/** Whether a row of `links` belongs to a decision or an event of the range. */
function touches(ledgerId: string, { start, end, lastSeq, partners = [] }: EvidenceRange): Sql {
  const within = (table: 'd' | 'e') => {
    const time = raw(`${table}."timestamp"`);
    return sql`${time} >= ${instant(start)} and ${time} < ${instant(end)}`;
  };
  return sql`(
    exists (select from decisions d where d.ledger_id = ${ledgerId}
      and d.decision_id = links.decision_id and d.seq <= ${lastSeq} and ${within('d')})
    or exists (select from financial_events e where e.ledger_id = ${ledgerId}
      and e.event_id = links.event_id and ${within('e')})
    or links.event_id = any(${partners}::uuid[]))`;
}

/**
 * Whether a row of `links` was confirmed, or taken from confirmed ones of a payment, and is of a chosen decision. What nobody
 * confirmed, or somebody rejected, may name an event of another matter.
 */
function isOfChosen(ledgerId: string, { start, end, lastSeq, only = empty }: EvidenceRange): Sql {
  return sql`(links.status in ('CONFIRMED', 'ML_INFERRED')
    or links.status = 'INHERITED' and links.label = 'confirmed') and exists (select from decisions
    where decisions.ledger_id = ${ledgerId} and decisions.decision_id = links.decision_id
      and decisions.seq <= ${lastSeq} and "timestamp" >= ${instant(start)}
      and "timestamp" < ${instant(end)}${only})`;
}

/** Whether a row of `financial_events` is one of some (UUIDs), or has a link to a chosen decision that was confirmed and stands. */
export function isLinkedToChosen(
  { ledgerId }: Scope,
  { partners = [], ...range }: EvidenceRange,
): Sql {
  return sql`(event_id = any(${partners}::uuid[]) or exists (select from links
    where links.ledger_id = ${ledgerId} and links.event_id = financial_events.event_id
      and links.deleted_at is null and ${isOfChosen(ledgerId, range)}))`;
}

/** The events among some (UUIDs) that have such a link. */
export async function selectLinkedToChosen(
  ledger: LedgerReader,
  range: EvidenceRange,
  eventIds: readonly string[],
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
      and ${isLinkedToChosen(ledger.scope, range)}`);
  return rows.map((row) => row.event_id);
}

function newerThan(after: { readonly createdAt: number; readonly linkId: string } | null): Sql {
  if (after === null) return empty;
  return sql` and (created_at, link_id) > (${instant(after.createdAt)}, ${after.linkId}::uuid)`;
}

/** A stored link: times in ms. */
export interface LinkRow {
  readonly link_id: string;
  readonly decision_id: string;
  readonly event_id: string;
  readonly correlation_strength: number;
  readonly link_type: Link['link_type'];
  readonly reversal: boolean;
  readonly attribution_method: Link['attribution_method'];
  readonly status: Link['status'];
  readonly notes: string | null;
  /** Canonical JSON. */
  readonly score: string | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly reviewed_by: string | null;
  readonly reviewed_at: number | null;
  readonly deleted_at: number | null;
  readonly review_priority: number | null;
  /** Of a suggestion, and of an inherited link; null for other links. */
  readonly label: Link['label'];
  /** UUID of the report that led the payment that it was taken from; null for other links. */
  readonly inherited_from: string | null;
}

const LINK_COLUMNS = raw(`link_id, decision_id, event_id,
  correlation_strength::float8 as correlation_strength, link_type, reversal, attribution_method, status,
  notes, score, created_by, (extract(epoch from created_at) * 1000)::bigint as created_at,
  reviewed_by, (extract(epoch from reviewed_at) * 1000)::bigint as reviewed_at,
  (extract(epoch from deleted_at) * 1000)::bigint as deleted_at, review_priority, label, inherited_from`);

/** Strengths are sent as text, so that the database stores their decimal digits. */
export async function insertLinks(tx: LedgerWriter, links: readonly LinkRow[]): Promise<void> {
  if (links.length === 0) return;
  const all = <Name extends keyof LinkRow>(name: Name): LinkRow[Name][] =>
    links.map((link) => link[name]);
  await tx.query(sql`
    insert into links (ledger_id, link_id, decision_id, event_id, correlation_strength, link_type,
      reversal, attribution_method, status, notes, score, created_by, created_at, reviewed_by,
      reviewed_at, review_priority, label, inherited_from)
    select own.ledger_id, link_id, decision_id, event_id, strength::numeric, link_type, reversal,
      attribution_method, status, notes, score, created_by, to_timestamp(created_at / 1000.0),
      reviewed_by, to_timestamp(reviewed_at / 1000.0), review_priority, label, inherited_from
    from ${ownRow(tx.ledgerId)} as own, unnest(${all('link_id')}::uuid[], ${all('decision_id')}::uuid[],
      ${all('event_id')}::uuid[], ${all('correlation_strength').map(String)}::text[],
      ${all('link_type')}::text[], ${all('reversal')}::boolean[],
      ${all('attribution_method')}::text[], ${all('status')}::text[], ${all('notes')}::text[],
      ${all('score')}::text[], ${all('created_by')}::text[], ${all('created_at')}::bigint[],
      ${all('reviewed_by')}::text[], ${all('reviewed_at')}::bigint[],
      ${all('review_priority')}::float8[], ${all('label')}::text[], ${all('inherited_from')}::uuid[])
      as row (link_id, decision_id, event_id, strength, link_type, reversal, attribution_method,
      status, notes, score, created_by, created_at, reviewed_by, reviewed_at, review_priority, label,
      inherited_from)`);
}

/** @param linkId UUID */
export async function selectLink(ledger: LedgerReader, linkId: string): Promise<LinkRow | null> {
  const [row] = await ledger.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links where ledger_id = ${ledger.ledgerId} and link_id = ${linkId}`);
  return row ?? null;
}

/** The links of an event (UUID) that are not deleted, oldest first. */
export async function selectLinksOfEvent(
  ledger: LedgerReader,
  eventId: string,
): Promise<LinkRow[]> {
  return selectLinksOfEvents(ledger, [eventId]);
}

/** The links of events (UUIDs) that are not deleted, oldest first. */
export async function selectLinksOfEvents(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<LinkRow[]> {
  return ledger.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[]) and deleted_at is null
    order by links.link_id`);
}

/** The links of the movement of an event (UUID) that are not deleted, oldest first: they share its amount. */
export async function selectLinksOfMovement(
  ledger: LedgerReader,
  eventId: string,
): Promise<LinkRow[]> {
  return ledger.query<LinkRow>(sql`
    select ${LINK_COLUMNS} from links
    where ledger_id = ${ledger.ledgerId} and deleted_at is null and event_id in (
      select m.event_id from financial_events m
      where m.ledger_id = ${ledger.ledgerId} and m.lead_id = (
        select own.lead_id from financial_events own
        where own.ledger_id = ${ledger.ledgerId} and own.event_id = ${eventId}))
    order by links.link_id`);
}

/**
 * Newest first: created_at descending, then id descending; the review queue by priority instead. ORDER
 * BY names the table because a bare name would mean the output column, which has no index.
 */
export async function selectLinkPage(
  ledger: LedgerReader,
  filter: LinkFilter,
  { after, limit }: Slice<Place>,
): Promise<PageRows<LinkRow>> {
  const key = isReviewQueue(filter) ? 'review_priority' : 'created_at';
  const rows = sql`
    select * from links
    where ledger_id = ${ledger.ledgerId}${conditions(filter)}${afterPosition(filter, after)}
    order by links.${raw(key)} desc, links.link_id desc`;
  const order = raw(`${key} desc, link_id desc`);
  return selectPageRows<LinkRow>(ledger, { ...SOURCE, rows, order }, limit);
}

const SOURCE = {
  table: raw('links'),
  columns: LINK_COLUMNS,
  bytes: raw('coalesce(octet_length(score), 0) + coalesce(octet_length(notes), 0)'),
};

function afterPosition(filter: LinkFilter, after: Place | null): Sql {
  if (after === null) return empty;
  const { at, id } = after;
  return isReviewQueue(filter)
    ? sql` and (review_priority, link_id) < (${at}::float8, ${id}::uuid)`
    : sql` and (created_at, link_id) < (${instant(at)}, ${id}::uuid)`;
}

function conditions(filter: LinkFilter): Sql {
  const all: Sql[] = [];
  if (filter.decisionId !== undefined) all.push(sql`decision_id = ${filter.decisionId}::uuid`);
  if (filter.eventId !== undefined) all.push(sql`event_id = ${filter.eventId}::uuid`);
  if (filter.status !== undefined) all.push(sql`status = ${filter.status}`);
  if (filter.minStrength !== undefined) {
    all.push(sql`correlation_strength >= ${String(filter.minStrength)}::numeric`);
  }
  if (!filter.includeDeleted) all.push(sql`deleted_at is null`);
  return all.length === 0 ? empty : sql` and ${join(all, ' and ')}`;
}

/** @param linkIds UUIDs */
export async function updateDeletedLinks(
  tx: LedgerWriter,
  linkIds: readonly string[],
  deletedAt: number,
): Promise<void> {
  if (linkIds.length === 0) return;
  await tx.query(sql`
    update links set deleted_at = to_timestamp(${deletedAt}::bigint / 1000.0)
    where ledger_id = ${tx.ledgerId} and link_id = any(${linkIds}::uuid[])`);
}

export async function updateReview(
  tx: LedgerWriter,
  link: Pick<
    LinkRow,
    | 'link_id'
    | 'status'
    | 'correlation_strength'
    | 'reviewed_by'
    | 'reviewed_at'
    | 'deleted_at'
    | 'label'
  >,
): Promise<void> {
  await tx.query(sql`
    update links set status = ${link.status}, label = ${link.label},
      correlation_strength = ${String(link.correlation_strength)}::numeric,
      reviewed_by = ${link.reviewed_by},
      reviewed_at = to_timestamp(${link.reviewed_at}::bigint / 1000.0),
      deleted_at = to_timestamp(${link.deleted_at}::bigint / 1000.0)
    where ledger_id = ${tx.ledgerId} and link_id = ${link.link_id}`);
}

type Suggestion = Pick<
  LinkRow,
  'link_id' | 'correlation_strength' | 'score' | 'review_priority' | 'label'
>;

export async function updateSuggestions(
  tx: LedgerWriter,
  links: readonly Suggestion[],
): Promise<void> {
  if (links.length === 0) return;
  const all = <Name extends keyof Suggestion>(name: Name): Suggestion[Name][] =>
    links.map((link) => link[name]);
  await tx.query(sql`
    update links set correlation_strength = row.strength::numeric, score = row.score,
      review_priority = row.review_priority, label = row.label
    from unnest(${all('link_id')}::uuid[], ${all('correlation_strength').map(String)}::text[],
      ${all('score')}::text[], ${all('review_priority')}::float8[], ${all('label')}::text[])
      as row (link_id, strength, score, review_priority, label)
    where links.ledger_id = ${tx.ledgerId} and links.link_id = row.link_id`);
}

/** The links (UUIDs) among those given that belong to a decision or an event of a range. */
export async function selectLinksInRange(
  ledger: LedgerReader,
  range: EvidenceRange,
  linkIds: readonly string[],
): Promise<string[]> {
  if (linkIds.length === 0) return [];
  const rows = await ledger.query<{ link_id: string }>(sql`
    select link_id from links
    where ledger_id = ${ledger.ledgerId} and link_id = any(${linkIds}::uuid[])
      and ${touches(ledger.ledgerId, range)}`);
  return rows.map((row) => row.link_id);
}
