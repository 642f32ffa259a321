import {
  CHARGE_REVERSALS,
  MOST_METADATA_BYTES,
  STRIPE_REVERSALS,
} from '@decision-ledger/proof/reversal';
import sql, { type Sql } from 'sql-template-tag';
import type { LedgerReader } from '../../../../platform/ledger.js';
import { instant } from '../../../../platform/statement.js';

/**
 * Events with a scalar member of their metadata that is one of some texts. OFFSET lets the planner only use the index of
 * values, and no index has the ledger as text: without statistics, the planner would read all events of the ledger instead.
 */
function holders(ledgerId: string, texts: readonly string[]): Sql {
  const values = texts.map((text) => JSON.stringify(text));
  return sql`
    select * from financial_events e
    where e.ledger_id::text = ${ledgerId}::uuid::text and e.metadata is not null
      and metadata_value_terms(e.ledger_id, e.metadata) && array(
        select ('x' || left(md5(${ledgerId}::uuid::text || value), 8))::bit(32)::integer
        from unnest(${values}::text[]) as value)
    offset 0`;
}

/** An event that may be related to others. */
export interface RelatableRow {
  /** UUID. */
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly external_id: string | null;
  /** Canonical JSON. */
  readonly metadata: string | null;
}

/**
 * The live events that some references name, and those whose metadata has one of some references.
 * @param limit the most of either
 * @param bytes metadata that is larger is left out
 */
export async function selectRelatable(
  ledger: LedgerReader,
  { named, naming }: { readonly named: readonly string[]; readonly naming: readonly string[] },
  { limit, bytes }: { readonly limit: number; readonly bytes: number },
): Promise<RelatableRow[]> {
  return ledger.query<RelatableRow>(sql`
    with ids as ((select found.event_id from (
      select e.event_id, e.deleted_at from financial_events e
      where e.ledger_id = ${ledger.ledgerId} and e.external_id is not null
        and e.external_id = any(${[...named, ...naming]}::text[])
      offset 0) as found
    where found.deleted_at is null order by found.event_id limit ${limit})
    union
    (select found.event_id from (${holders(ledger.ledgerId, naming)}) as found
    where found.deleted_at is null order by found.event_id limit ${limit}))
    select e.event_id, e.source, e.event_type, e.amount::text as amount, e.currency, e.external_id,
      case when octet_length(e.metadata) <= ${bytes} then e.metadata end as metadata
    from ids, lateral (
      select * from financial_events
      where ledger_id = ${ledger.ledgerId} and event_id = ids.event_id offset 0) as e
    order by e.event_id`);
}

/** A report with the one that leads its movement. */
export interface MovedRow extends Omit<RelatableRow, 'amount' | 'currency'> {
  /** UUID. */
  readonly lead_id: string;
  readonly is_deleted: boolean;
  /** Whether it has a link that was taken from a payment. */
  readonly is_inheriting: boolean;
}

/**
 * The reports of the movements of some events (UUIDs), deleted or not. OFFSET lets the planner only look up each movement.
 * @param bytes metadata that is larger is left out
 */
export async function selectMoved(
  ledger: LedgerReader,
  eventIds: readonly string[],
  bytes: number,
): Promise<MovedRow[]> {
  if (eventIds.length === 0) return [];
  return ledger.query<MovedRow>(sql`
    select e.event_id, e.lead_id, e.source, e.event_type, e.external_id,
      case when octet_length(e.metadata) <= ${bytes} then e.metadata end as metadata,
      e.deleted_at is not null as is_deleted,
      exists (
        select from links l
        where l.ledger_id = ${ledger.ledgerId} and l.event_id = e.event_id
          and l.status = 'INHERITED' and l.deleted_at is null offset 0) as is_inheriting
    from (
      select distinct own.lead_id from financial_events own
      where own.ledger_id = ${ledger.ledgerId} and own.event_id = any(${eventIds}::uuid[])) as movement,
    lateral (
      select * from financial_events
      where ledger_id = ${ledger.ledgerId} and lead_id = movement.lead_id offset 0) as e
    order by e.event_id`);
}

/** What a report of a source may be named by. */
export interface Naming {
  readonly source: string;
  readonly reference: string;
}

/** The leads (UUIDs) of the movements of live reports that some references of their sources name. */
export async function selectNamedLeads(
  ledger: LedgerReader,
  names: readonly Naming[],
  limit: number,
): Promise<string[]> {
  const rows = await ledger.query<{ lead_id: string }>(sql`
    ${namedLeads(ledger.ledgerId, names, limit)} order by found.lead_id`);
  return rows.map(({ lead_id }) => lead_id);
}

const namedLeads = (ledgerId: string, names: readonly Naming[], limit: number): Sql => sql`
  select distinct found.lead_id
  from unnest(${names.map(({ source }) => source)}::text[],
    ${names.map(({ reference }) => reference)}::text[]) as named (source, reference),
  lateral (
    select e.lead_id from financial_events e
    where e.ledger_id = ${ledgerId} and e.external_id is not null
      and e.external_id = named.reference and e.source = named.source and e.deleted_at is null
    limit ${limit}) as found`;

/** An event that says that it reverses another one, or may. */
export type ReversingRow = Omit<RelatableRow, 'amount' | 'currency'>;

/**
 * The events of a range, or among some (UUIDs), deleted or not, whose metadata may say that they reverse others, in the order of
 * their ids.
 * @param range ms; the end is exclusive
 * @param after UUID of the last one of the previous page; null for the first page
 */
export async function selectReversing(
  ledger: LedgerReader,
  range: { readonly start: number; readonly end: number; readonly among: readonly string[] },
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<ReversingRow[]> {
  return ledger.query<ReversingRow>(sql`
    select e.event_id, e.source, e.event_type, e.external_id,
      case when octet_length(e.metadata) <= ${MOST_METADATA_BYTES} then e.metadata end as metadata
    from financial_events e
    where e.ledger_id = ${ledger.ledgerId} and e.event_id > ${after ?? NO_ID}::uuid
      and (e."timestamp" >= ${instant(range.start)} and e."timestamp" < ${instant(range.end)}
        or e.event_id = any(${range.among}::uuid[]))
      and (position('"reverses"' in e.metadata) > 0
        or e.source = 'stripe' and e.event_type = any(${STRIPE_REVERSALS}::text[]))
    order by e.event_id limit ${limit}`);
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The events that some references of their sources name, deleted or not. */
export async function selectNamed(
  ledger: LedgerReader,
  names: readonly Naming[],
  limit: number,
): Promise<Omit<ReversingRow, 'metadata'>[]> {
  return ledger.query(sql`
    select distinct found.event_id, found.source, found.event_type, found.external_id
    from unnest(${names.map(({ source }) => source)}::text[],
      ${names.map(({ reference }) => reference)}::text[]) as named (source, reference),
    lateral (
      select e.event_id, e.source, e.event_type, e.external_id from financial_events e
      where e.ledger_id = ${ledger.ledgerId} and e.external_id is not null
        and e.external_id = named.reference and e.source = named.source
      limit ${limit}) as found
    order by found.event_id`);
}

/**
 * The leads (UUIDs) of the movements of live reports whose metadata has one of some references, or that have it themselves.
 * Their sources are compared as a set: which of them names what, its reader tells.
 */
export async function selectNamingLeads(
  ledger: LedgerReader,
  names: readonly Naming[],
  limit: number,
): Promise<string[]> {
  const references = [...new Set(names.map(({ reference }) => reference))];
  const sources = [...new Set(names.map(({ source }) => source))];
  const rows = await ledger.query<{ lead_id: string }>(sql`
    (${namedLeads(ledger.ledgerId, names, limit)})
    union
    (select distinct held.lead_id from (${holders(ledger.ledgerId, references)}) as held
    where held.source = any(${sources}::text[]) and held.deleted_at is null
    order by held.lead_id limit ${limit})`);
  return rows.map(({ lead_id }) => lead_id);
}

/**
 * Whether a live event of `financial_events` names one payment that it reverses, which is not recorded. OFFSET lets the planner
 * only look up each payment.
 */
export function reversesUnknown(ledgerId: string): Sql {
  const stated = (
    name: string,
  ) => sql`case when position('\\u0000' in financial_events.metadata) = 0
    then financial_events.metadata::json ->> ${name} end`;
  const payment = sql`case when financial_events.source = 'stripe'
    and financial_events.event_type = any(${CHARGE_REVERSALS}::text[])
    then ${stated('stripe_charge')} else ${stated('reverses')} end`;
  return sql`deleted_at is null and metadata is not null and ${payment} not like '[%'
    and not exists (
      select from financial_events p
      where p.ledger_id = ${ledgerId} and p.external_id = ${payment} and p.deleted_at is null
        and p.source = financial_events.source and p.event_id <> financial_events.event_id
        and (p.source <> 'stripe' or p.event_type = 'charge')
      offset 0)`;
}

/** Parts of one event type. */
interface PartsRow {
  readonly event_type: string;
  readonly count: number;
  /** Decimal text: the sum of those that have an amount in the currency of the whole. */
  readonly amount: string;
  /** How many have none. */
  readonly unknown: number;
}

/** A member of metadata, unless it has a character that text cannot have. */
const member = (name: string): Sql =>
  sql`case when position('\\u0000' in e.metadata) = 0 then e.metadata::json ->> ${name} end`;

/** The live events of a source that say that they are part of another one, by type, with what they were settled with. */
export async function selectParts(
  ledger: LedgerReader,
  whole: { readonly source: string; readonly reference: string; readonly currency: string },
): Promise<PartsRow[]> {
  const { source, reference, currency } = whole;
  const form = `^-?[0-9]{1,20}([.][0-9]{1,12})? ${currency}$`;
  return ledger.query<PartsRow>(sql`
    select p.event_type, count(*)::int as count, coalesce(sum(p.amount), 0)::text as amount,
      (count(*) - count(p.amount))::int as unknown
    from (
      select e.event_type, case
        when ${member('stripe_settled')} ~ ${form}
          then split_part(${member('stripe_settled')}, ' ', 1)::numeric
        when ${member('stripe_settled')} is null and e.currency = ${currency} then e.amount end as amount
      from (${holders(ledger.ledgerId, [reference])}) as e
      where e.deleted_at is null and e.source = ${source}
        and (${member('stripe_payout')} = ${reference} or ${member('part_of')} = ${reference})) as p
    group by p.event_type order by p.event_type`);
}
