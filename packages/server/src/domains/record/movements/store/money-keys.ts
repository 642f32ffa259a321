import sql, { type Sql } from 'sql-template-tag';
import { textArray, uuidArray } from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';

/** What a report (UUID) is found by: a key as decimal text, and its time in ms. */
export interface KeyRow {
  readonly event_id: string;
  readonly key: string;
  readonly timestamp: number;
}

export async function insertKeys(tx: LedgerWriter, rows: readonly KeyRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    insert into money_keys (ledger_id, key, "timestamp", event_id)
    select own.ledger_id, n.key::bigint, to_timestamp(n.at::bigint / 1000.0), n.event_id
    from ${ownRow(tx.ledgerId)} as own, unnest(
      ${textArray(rows, ({ key }) => key)}::text[],
      ${textArray(rows, ({ timestamp }) => String(timestamp))}::text[],
      ${uuidArray(rows, ({ event_id }) => event_id)}::uuid[]
    ) as n (key, at, event_id)
    on conflict do nothing`);
}

export async function deleteKeys(tx: LedgerWriter, rows: readonly KeyRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    delete from money_keys k using unnest(
      ${textArray(rows, ({ key }) => key)}::text[],
      ${textArray(rows, ({ timestamp }) => String(timestamp))}::text[],
      ${uuidArray(rows, ({ event_id }) => event_id)}::uuid[]
    ) as n (key, at, event_id)
    where k.ledger_id = ${tx.ledgerId} and k.key = n.key::bigint
      and k."timestamp" = to_timestamp(n.at::bigint / 1000.0) and k.event_id = n.event_id`);
}

/** A key, decimal text, of a report of a time, and how far from it others may be: in ms. */
export interface KeySearch {
  readonly key: string;
  readonly timestamp: number;
  readonly within: number;
}

/** A report (UUID) that a search found, by the place of the search. */
export interface FoundRow {
  readonly at: number;
  readonly event_id: string;
}

/**
 * The reports that have some keys.
 * @param limit the most of each search
 */
export async function selectByKeys(
  ledger: LedgerReader,
  searches: readonly KeySearch[],
  limit: number,
): Promise<FoundRow[]> {
  if (searches.length === 0) return [];
  return ledger.query<FoundRow>(sql`
    select (q.place - 1)::integer as at, found.event_id
    from unnest(
      ${textArray(searches, ({ key }) => key)}::text[],
      ${textArray(searches, ({ timestamp, within }) => String(timestamp - within))}::text[],
      ${textArray(searches, ({ timestamp, within }) => String(timestamp + within))}::text[]
    ) with ordinality as q (key, first, last, place),
    lateral (
      select k.event_id from money_keys k
      where k.ledger_id = ${ledger.ledgerId} and k.key = q.key::bigint
        and k."timestamp" between to_timestamp(q.first::bigint / 1000.0)
          and to_timestamp(q.last::bigint / 1000.0)
      order by k."timestamp", k.event_id limit ${limit}
    ) as found`);
}

/** A search of reports around one that came or went. */
export interface CrowdSearch extends KeySearch {
  /** So many reports of the key at a time are no crowd. */
  readonly most: number;
  /** How many of them have come or gone. */
  readonly changes: number;
}

/**
 * The reports (UUIDs) of some keys that may be in a crowd now and were in none, or the reverse, because others of their key came or
 * went. Only the nearest may be: each has few others around it, and all that are nearer to what came or went are among these.
 */
export async function selectTipped(
  ledger: LedgerReader,
  searches: readonly CrowdSearch[],
): Promise<string[]> {
  if (searches.length === 0) return [];
  const enough = Math.max(...searches.map(({ most, changes }) => most + changes)) + 1;
  const between = (time: Sql, width: Sql) => sql`
    from money_keys k where k.ledger_id = ${ledger.ledgerId} and k.key = q.key::bigint
      and k."timestamp" between ${time} - ${width} and ${time} + ${width}`;
  const count = (time: Sql, width: Sql) => sql`
    lateral (select count(*) as reports from (select ${between(time, width)} limit ${enough}) as each)`;
  const side = (is: Sql, order: Sql) => sql`(
    select k.event_id, k."timestamp" ${between(sql`q.at`, sql`q.within`)} and k."timestamp" ${is} q.at
    order by k."timestamp" ${order} limit ${enough})`;
  const rows = await ledger.query<{ event_id: string }>(sql`
    select distinct near.event_id
    from (
      select key, to_timestamp(at::bigint / 1000.0) as at, within::bigint * interval '1 ms' as within,
        most::integer as most, changes::integer as changes
      from unnest(
        ${textArray(searches, ({ key }) => key)}::text[],
        ${textArray(searches, ({ timestamp }) => String(timestamp))}::text[],
        ${textArray(searches, ({ within }) => String(within))}::text[],
        ${textArray(searches, ({ most }) => String(most))}::text[],
        ${textArray(searches, ({ changes }) => String(changes))}::text[]
      ) as n (key, at, within, most, changes) offset 0) as q,
    ${count(sql`q.at`, sql`2 * q.within`)} as wide,
    lateral (
      select * from (${side(sql`<`, sql`desc`)} union all ${side(sql`>=`, sql`asc`)}) as each
      where wide.reports > q.most - q.changes offset 0) as near,
    ${count(sql`near."timestamp"`, sql`q.within`)} as own
    where own.reports between q.most - q.changes + 1 and q.most + q.changes`);
  return rows.map(({ event_id }) => event_id);
}

/** A report that no books have, and the report (UUIDs) that leads its movement. */
export interface UnbookedRow extends FoundRow {
  readonly lead_id: string;
}

/** Of one key, so many reports before a time and after it are looked at: of the rest, nothing is known. */
const MOST_LOOKED_AT = 250;

/**
 * The reports that have some keys and are in movements without a report of the books.
 * @param limit the most of each search before its time, and after it: the nearest
 */
export async function selectUnbooked(
  ledger: LedgerReader,
  searches: readonly KeySearch[],
  limit: number,
): Promise<UnbookedRow[]> {
  return selectAround<UnbookedRow>(
    ledger,
    searches,
    (near) => sql`
    select near.event_id, own.lead_id
    from ${near}, ${ownLead(ledger)},
    lateral (
      select count(*) filter (where source like 'accounting/%') as books from financial_events
      where ledger_id = ${ledger.ledgerId} and lead_id = own.lead_id offset 0) as movement
    where movement.books = 0 limit ${limit}`,
  );
}

/** A report in a movement by itself. */
export interface AloneRow extends FoundRow {
  readonly is_queued: boolean;
}

/** The reports that have some keys and are in movements by themselves: the nearest before the time of a search, and after it. */
export async function selectAlone(
  ledger: LedgerReader,
  searches: readonly KeySearch[],
): Promise<AloneRow[]> {
  return selectAround<AloneRow>(
    ledger,
    searches,
    (near) => sql`
    select near.event_id, queue.entries > 0 as is_queued
    from ${near}, ${ownLead(ledger)},
    lateral (
      select count(*) as reports from financial_events
      where ledger_id = ${ledger.ledgerId} and lead_id = own.lead_id offset 0) as movement,
    lateral (
      select count(*) as entries from same_money
      where ledger_id = ${ledger.ledgerId} and event_id = near.event_id offset 0) as queue
    where movement.reports = 1`,
  );
}

const ownLead = ({ ledgerId }: LedgerReader): Sql => sql`
  lateral (
    select lead_id from financial_events
    where ledger_id = ${ledgerId} and event_id = near.event_id and deleted_at is null offset 0) as own`;

/**
 * What a query finds among the nearest reports that have some keys, before the time of each search and after it.
 * @param choose what is chosen of the reports of one side: columns of `found`
 */
async function selectAround<Row extends FoundRow>(
  ledger: LedgerReader,
  searches: readonly KeySearch[],
  choose: (near: Sql) => Sql,
): Promise<Row[]> {
  if (searches.length === 0) return [];
  const side = (range: Sql, order: Sql) =>
    sql`(${choose(sql`(
    select k.event_id from money_keys k
    where k.ledger_id = ${ledger.ledgerId} and k.key = q.key::bigint and ${range}
    order by k."timestamp" ${order}, k.event_id ${order} limit ${MOST_LOOKED_AT}) as near`)})`;
  const at = (ms: Sql): Sql => sql`to_timestamp(${ms}::bigint / 1000.0)`;
  return ledger.query<Row>(sql`
    select (q.place - 1)::integer as at, found.*
    from unnest(
      ${textArray(searches, ({ key }) => key)}::text[],
      ${textArray(searches, ({ timestamp, within }) => String(timestamp - within))}::text[],
      ${textArray(searches, ({ timestamp }) => String(timestamp))}::text[],
      ${textArray(searches, ({ timestamp, within }) => String(timestamp + within))}::text[]
    ) with ordinality as q (key, first, middle, last, place),
    lateral (
      ${side(sql`k."timestamp" >= ${at(sql`q.first`)} and k."timestamp" < ${at(sql`q.middle`)}`, sql`desc`)}
      union all
      ${side(sql`k."timestamp" between ${at(sql`q.middle`)} and ${at(sql`q.last`)}`, sql`asc`)}
    ) as found`);
}
