import type { LinkType } from '@decision-ledger/contract/money-signs';
import type { MoneyKind, Standing } from '@decision-ledger/contract/source-profiles';
import sql, { empty, type Sql } from 'sql-template-tag';
import { textArray, uuidArray } from '../../../../platform/binary-array.js';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { DerivedRows } from '../../../../platform/projections/derived-rows.js';
import type { KeyRange } from '../../../../platform/projections/projection.js';

/** An event and what decides the sign that it counts with: amounts as decimal text. */
export interface SignedRow {
  /** UUID. */
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string;
  readonly amount: string;
  readonly currency: string;
  /** Canonical JSON. */
  readonly metadata: string | null;
  readonly kind: MoneyKind;
  readonly standing: Standing;
  readonly counted_amount: string;
  readonly uncounted_amount: string;
  readonly may_include_tax: boolean;
  /** Whether another report of its movement leads it, which alone counts. */
  readonly is_witness: boolean;
  /** The live links of its movement that people created or confirmed. */
  readonly human: readonly { readonly link_type: LinkType; readonly reversal: boolean }[];
  /** The reports of the movement that it leads that state a transaction. */
  readonly stating: readonly StatingReport[];
  /** The other reports of the movement that it leads. */
  readonly witnesses: readonly WitnessRow[];
}

/** What the kind and the direction of a report follow from. */
type WitnessRow = Pick<SignedRow, 'source' | 'event_type' | 'amount' | 'metadata'>;

/** A report that states a transaction. */
interface StatingReport {
  /** UUID. */
  readonly id: string;
  readonly source: string;
  readonly external_id: string | null;
  /** ms. */
  readonly timestamp: number;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  /** Canonical JSON. */
  readonly metadata: string;
}

/** How canonical JSON begins a transaction. Where it is only a part of a text, the metadata state none. */
const TRANSACTION = '"transaction":{';

/** The events (UUIDs) among those given that are not deleted. */
export async function selectSigned(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<SignedRow[]> {
  return ledger.query<SignedRow>(sql`
    select e.event_id, e.source, e.event_type, e.amount::text as amount, e.currency, e.metadata,
      e.kind, e.standing, e.counted_amount::text as counted_amount,
      e.uncounted_amount::text as uncounted_amount, e.may_include_tax, e.lead_id <> e.event_id as is_witness,
      coalesce((
        select json_agg(json_build_object('link_type', l.link_type, 'reversal', l.reversal))
        from financial_events m
        join links l on l.ledger_id = ${ledger.ledgerId} and l.event_id = m.event_id
        where m.ledger_id = ${ledger.ledgerId} and m.lead_id = e.lead_id and l.deleted_at is null
          and l.status in ('CONFIRMED', 'ML_INFERRED')), '[]') as human,
      case when e.lead_id = e.event_id then coalesce((
        select json_agg(json_build_object('id', m.event_id, 'source', m.source,
          'external_id', m.external_id, 'amount', m.amount::text, 'currency', m.currency,
          'timestamp', (extract(epoch from m."timestamp") * 1000)::bigint, 'metadata', m.metadata))
        from financial_events m
        where m.ledger_id = ${ledger.ledgerId} and m.lead_id = e.event_id
          and strpos(m.metadata, ${TRANSACTION}) > 0), '[]') else '[]' end as stating,
      case when e.lead_id = e.event_id then coalesce((
        select json_agg(json_build_object('source', m.source, 'event_type', m.event_type,
          'amount', m.amount::text, 'metadata', m.metadata))
        from financial_events m
        where m.ledger_id = ${ledger.ledgerId} and m.lead_id = e.event_id
          and m.event_id <> e.event_id), '[]') else '[]' end as witnesses
    from financial_events e
    where e.ledger_id = ${ledger.ledgerId} and e.event_id = any(${eventIds}::uuid[])
      and e.deleted_at is null
    order by e.event_id`);
}

/** A live link of an event (UUID) that people created or confirmed. */
interface HumanRow {
  readonly event_id: string;
  readonly link_type: LinkType;
  readonly reversal: boolean;
}

export async function selectHuman(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<HumanRow[]> {
  if (eventIds.length === 0) return [];
  return ledger.query<HumanRow>(sql`
    select event_id, link_type, reversal from links
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
      and deleted_at is null and status in ('CONFIRMED', 'ML_INFERRED')
    order by link_id`);
}

/** Whether the metadata of a report may state a transaction. */
export const mayState = ({ metadata }: Pick<SignedRow, 'metadata'>): boolean =>
  metadata?.includes(TRANSACTION) === true;

/** What an event counts with. */
export type CountedRow = Pick<
  SignedRow,
  'event_id' | 'kind' | 'standing' | 'counted_amount' | 'uncounted_amount' | 'may_include_tax'
>;

/** Deleted events (UUIDs) among those given that still count with something. */
export async function selectCountedDeleted(
  ledger: LedgerReader,
  eventIds: readonly string[],
): Promise<CountedRow[]> {
  return ledger.query<CountedRow>(sql`
    select event_id, kind, standing, counted_amount::text as counted_amount,
      uncounted_amount::text as uncounted_amount, may_include_tax
    from financial_events
    where ledger_id = ${ledger.ledgerId} and event_id = any(${eventIds}::uuid[])
      and deleted_at is not null
      and (kind, standing, counted_amount, uncounted_amount, may_include_tax)
        <> ('other', 'deleted', 0, 0, false)
    order by event_id`);
}

/** What events count with. */
export const COUNTED = new DerivedRows('financial_events', {
  key: ['event_id'],
  values: ['kind', 'standing', 'counted_amount', 'uncounted_amount', 'may_include_tax'],
});

export async function updateCounted(tx: LedgerWriter, rows: readonly CountedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update financial_events e set kind = n.kind, standing = n.standing,
      counted_amount = n.counted_amount::numeric, uncounted_amount = n.uncounted_amount::numeric,
      may_include_tax = n.may_include_tax::boolean
    from unnest(
      ${uuidArray(rows, ({ event_id }) => event_id)}::uuid[],
      ${textArray(rows, ({ kind }) => kind)}::text[],
      ${textArray(rows, ({ standing }) => standing)}::text[],
      ${textArray(rows, ({ counted_amount }) => counted_amount)}::text[],
      ${textArray(rows, ({ uncounted_amount }) => uncounted_amount)}::text[],
      ${textArray(rows, ({ may_include_tax }) => String(may_include_tax))}::text[]
    ) as n (event_id, kind, standing, counted_amount, uncounted_amount, may_include_tax)
    where e.ledger_id = ${tx.ledgerId} and e.event_id = n.event_id`);
}

/** The events (UUIDs) of a range, in the order of ids, deleted or not. */
export async function selectEventIds(
  ledger: LedgerReader,
  range: KeyRange<string>,
): Promise<string[]> {
  const rows = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId}${within(range)} order by event_id`);
  return rows.map(({ event_id }) => event_id);
}

/** The last one of some events after an id; null if there are fewer. */
export async function selectEndOfEvents(
  ledger: LedgerReader,
  after: string | null,
  count: number,
): Promise<string | null> {
  const [row] = await ledger.query<{ event_id: string }>(sql`
    select event_id from financial_events
    where ledger_id = ${ledger.ledgerId}${within({ after, until: null })}
    order by event_id offset ${count - 1} limit 1`);
  return row?.event_id ?? null;
}

/** Conditions on the events of a range of ids, starting with ` and `. */
export function within({ after, until }: KeyRange<string>): Sql {
  const later = after === null ? empty : sql` and event_id > ${after}::uuid`;
  const earlier = until === null ? empty : sql` and event_id <= ${until}::uuid`;
  return sql`${later}${earlier}`;
}
