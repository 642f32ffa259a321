import { formatTimestamp } from '@decision-ledger/contract/time';
import { legibleValue } from '@decision-ledger/proof/disclosed-value';
import { briefText, type RecordedChange } from '@decision-ledger/proof/replay/state';
import sql, { empty, raw } from 'sql-template-tag';
import type { RecordSpan } from '../../../../platform/chain/verify.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { type PageRows, type Slice, selectPageRows } from '../../../../platform/page.js';
import { instant } from '../../../../platform/statement.js';

/** A stored change: bytes in hexadecimal, times in ms. */
export interface ActivityRecord {
  readonly seq: number;
  readonly epoch: number;
  readonly activity_id: string;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly created_at: number;
  readonly entry: string;
  readonly hash: string;
  readonly prev_hash: string;
  readonly data: string | null;
  readonly when: string | null;
}

const ACTIVITY_COLUMNS = raw(`seq, epoch, activity_id, type, actor, subject,
  (extract(epoch from created_at) * 1000)::bigint as created_at, entry,
  encode(hash, 'hex') as hash, encode(prev_hash, 'hex') as prev_hash, data,
  "when"`);

/** A change to insert. */
export interface ActivityRow {
  readonly seq: number;
  readonly epoch: number;
  /** UUID. */
  readonly activityId: string;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  /** ms. */
  readonly createdAt: number;
  readonly entry: string;
  /** Hexadecimal, like prevHash. */
  readonly hash: string;
  readonly prevHash: string;
  /** Disclosure of the data. */
  readonly data: string | null;
  /** Disclosure of the times. */
  readonly when: string | null;
}

/** Inserts changes in one statement. */
export async function insertActivities(
  tx: LedgerWriter,
  rows: readonly ActivityRow[],
): Promise<void> {
  const all = <Name extends keyof ActivityRow>(name: Name): ActivityRow[Name][] =>
    rows.map((row) => row[name]);
  const { text, values } = sql`
    insert into activity (ledger_id, seq, epoch, activity_id, type, actor, subject, created_at,
      entry, hash, prev_hash, data, "when")
    select own.ledger_id, seq, epoch, activity_id, type, actor, subject,
      to_timestamp(created_at / 1000.0), entry, decode(hash, 'hex'), decode(prev_hash, 'hex'), data,
      "when"
    from ${ownRow(tx.ledgerId)} as own, unnest(${all('seq')}::bigint[], ${all('epoch')}::integer[], ${all('activityId')}::uuid[],
      ${all('type')}::text[], ${all('actor')}::text[], ${all('subject')}::text[],
      ${all('createdAt')}::bigint[], ${all('entry')}::text[], ${all('hash')}::text[],
      ${all('prevHash')}::text[], ${all('data')}::text[], ${all('when')}::text[]) as row (seq, epoch,
      activity_id, type, actor, subject, created_at, entry, hash, prev_hash, data, "when")`;
  await tx.query({ name: 'insert-activities', text, values });
}

export interface ActivityFilter {
  readonly type: string | undefined;
  readonly subject: string | undefined;
  /** ms; the end is exclusive. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** Newest first. The order of the chain is also the order in time. */
export async function selectActivityPage(
  ledger: LedgerReader,
  filter: ActivityFilter,
  { after, limit }: Slice<number>,
): Promise<PageRows<ActivityRecord>> {
  const { type, subject, start, end } = filter;
  const rows = sql`
    select * from activity where ledger_id = ${ledger.ledgerId}
    ${type === undefined ? empty : sql`and type = ${type}`}
    ${subject === undefined ? empty : sql`and subject = ${subject}`}
    ${start === undefined ? empty : sql`and created_at >= ${instant(start)}`}
    ${end === undefined ? empty : sql`and created_at < ${instant(end)}`}
    ${after === null ? empty : sql`and seq < ${after}`}
    order by seq desc`;
  return selectPageRows<ActivityRecord>(ledger, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('activity'),
  columns: ACTIVITY_COLUMNS,
  order: raw('seq desc'),
  bytes: raw('octet_length(entry) + coalesce(octet_length(data), 0)'),
};

/**
 * Changes in the order of the chain: at most `limit` rows and MAX_BYTES bytes, but at least one row.
 * Two scans by seq are faster here than `selectPageRows`, which carries wide rows through a window.
 */
export async function selectActivityRecords(
  ledger: LedgerReader,
  { first, last, limit }: RecordSpan,
): Promise<ActivityRecord[]> {
  return ledger.query<ActivityRecord>(sql`
    with sized as (
      select seq, sum(octet_length(entry) + coalesce(octet_length(data), 0)) over (order by seq) as bytes
      from (
        select * from activity where ledger_id = ${ledger.ledgerId} and seq between ${first} and ${last}
        order by seq limit ${limit}
      ) page
    )
    select ${ACTIVITY_COLUMNS} from activity
    where ledger_id = ${ledger.ledgerId} and seq >= ${first} and seq <= (
      select coalesce(max(seq) filter (where bytes <= ${MAX_BYTES}), min(seq)) from sized)
    order by seq`);
}

const MAX_BYTES = 4 * 1024 * 1024;

/** The first change of a type and a subject; null if there is none. */
export async function selectFirst(
  ledger: LedgerReader,
  type: string,
  subject: string,
): Promise<ActivityRecord | null> {
  const [row] = await ledger.query<ActivityRecord>(sql`
    select ${ACTIVITY_COLUMNS} from activity
    where ledger_id = ${ledger.ledgerId} and type = ${type} and subject = ${subject}
    order by seq limit 1`);
  return row ?? null;
}

/** Seqs of the first and the last change of a subject. */
export interface SubjectBounds {
  readonly first: number;
  readonly last: number;
}

export async function selectSubjectBounds(
  ledger: LedgerReader,
  subjects: readonly string[],
): Promise<Map<string, SubjectBounds>> {
  const rows = await ledger.query<SubjectBounds & { subject: string }>(sql`
    select subject, min(seq) as first, max(seq) as last from activity
    where ledger_id = ${ledger.ledgerId} and subject = any(${subjects}::text[]) group by subject`);
  return new Map(rows.map(({ subject, first, last }) => [subject, { first, last }]));
}

interface ChangeRow {
  readonly seq: number;
  readonly type: string;
  readonly actor: string;
  readonly subject: string;
  readonly at: number;
  readonly data: string | null;
}

/** The records of some types about some subjects, oldest first. */
export async function selectHistories(
  ledger: LedgerReader,
  subjects: readonly string[],
  types: readonly string[],
): Promise<Map<string, RecordedChange[]>> {
  const histories = new Map<string, RecordedChange[]>();
  if (subjects.length === 0) return histories;
  const rows = await ledger.query<ChangeRow>(sql`
    select seq, type, actor, subject, (extract(epoch from created_at) * 1000)::bigint as at, data
    from activity
    where ledger_id = ${ledger.ledgerId} and subject = any(${subjects}::text[])
      and type = any(${types}::text[])
    order by activity.seq`);
  for (const row of rows) {
    const history = histories.get(row.subject);
    if (history === undefined) histories.set(row.subject, [changeOf(row)]);
    else history.push(changeOf(row));
  }
  return histories;
}

/** The records about some subjects after a place in the chain, and those at some places, with their subjects, oldest first. */
export async function selectLaterChanges(
  ledger: LedgerReader,
  subjects: readonly string[],
  { after, seqs }: { readonly after: number; readonly seqs: readonly number[] },
): Promise<readonly (RecordedChange & { readonly subject: string })[]> {
  const rows = await ledger.query<ChangeRow>(sql`
    select seq, type, actor, subject, (extract(epoch from created_at) * 1000)::bigint as at, data from (
      select * from activity
      where ledger_id = ${ledger.ledgerId} and subject = any(${subjects}::text[]) and seq > ${after}
      union
      select * from activity where ledger_id = ${ledger.ledgerId} and seq = any(${seqs}::bigint[])) as found
    order by found.seq`);
  return rows.map((row) => ({ ...changeOf(row), subject: row.subject }));
}

/** The last record of some types about a subject. */
export async function selectLastChange(
  ledger: LedgerReader,
  subject: string,
  types: readonly string[],
): Promise<RecordedChange | null> {
  const [row] = await ledger.query<ChangeRow>(sql`
    select seq, type, actor, subject, (extract(epoch from created_at) * 1000)::bigint as at, data
    from activity
    where ledger_id = ${ledger.ledgerId} and subject = ${subject} and type = any(${types}::text[])
    order by activity.seq desc limit 1`);
  return row === undefined ? null : changeOf(row);
}

/** The records of some types, with their subjects, oldest first: only for types that are rare. */
export async function selectChangesOfTypes(
  ledger: LedgerReader,
  types: readonly string[],
): Promise<readonly (RecordedChange & { readonly subject: string })[]> {
  const rows = await ledger.query<ChangeRow>(sql`
    select seq, type, actor, subject, (extract(epoch from created_at) * 1000)::bigint as at, data
    from activity where ledger_id = ${ledger.ledgerId} and type = any(${types}::text[])
    order by activity.seq`);
  return rows.map((row) => ({ ...changeOf(row), subject: row.subject }));
}

function changeOf({ seq, type, actor, at, data }: ChangeRow): RecordedChange {
  const value = legibleValue(data, 'data');
  const members =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [];
  return {
    ...{ seq, type, actor, at: formatTimestamp(at) },
    data: new Map(members.map(([name, member]) => [name, briefText(member)])),
  };
}

export interface MadeRow {
  readonly seq: number;
  readonly type: string;
  readonly subject: string;
}

/** The records that made objects, in chain order. The walk looks at `span` records at most. */
export async function selectMade(
  ledger: LedgerReader,
  types: readonly string[],
  { after, until }: { readonly after: number; readonly until: number },
): Promise<MadeRow[]> {
  return ledger.query<MadeRow>(sql`
    select seq, type, subject from activity
    where ledger_id = ${ledger.ledgerId} and seq > ${after} and seq <= ${until}
      and type = any(${types}::text[])
    order by activity.seq`);
}
