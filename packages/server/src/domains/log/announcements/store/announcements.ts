import type { StreamData, StreamTypeOf } from '@decision-ledger/contract/stream-events';
import sql from 'sql-template-tag';
import { textArray } from '../../../../platform/binary-array.js';
import type { ChainName } from '../../../../platform/chain/head.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import { type Installation, LEDGERS } from '../../../../platform/statement.js';

type Announced<Type extends StreamTypeOf<'announcements'>> = Type extends unknown
  ? {
      readonly type: Type;
      /** Identifier of the object it is about. */
      readonly subject: string;
      readonly data: StreamData<Type>;
    }
  : never;

/** An event of the stream that is not evidence: one of the types of the log `announcements`. */
export type Announcement = Announced<StreamTypeOf<'announcements'>>;

/** @returns number of the last of `count` new announcements */
export async function advanceHead(tx: LedgerWriter, count: number): Promise<number> {
  const { text, values } = sql`
    insert into announcement_heads as h (ledger_id, seq) values (${tx.ledgerId}, ${count})
    on conflict (ledger_id) do update set seq = h.seq + excluded.seq returning h.seq`;
  const [row] = await tx.query<{ seq: number }>({ text, values, notifies: tx.ledgerId });
  if (row === undefined) throw new Error('the head of the announcements did not move');
  return row.seq;
}

/** Scans all announcements of the ledger; pruning keeps them to a week. */
export async function deleteOfSubject(tx: LedgerWriter, subject: string): Promise<void> {
  await tx.query(sql`
    delete from announcements where ledger_id = ${tx.ledgerId} and subject = ${subject}`);
}

/**
 * Deletes at most `limit` of the oldest announcements, if they were made before a time (ms).
 * @returns their numbers
 */
export async function deleteOld(
  tx: LedgerWriter,
  before: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx.query<{ seq: number }>(sql`
    delete from announcements where ledger_id = ${tx.ledgerId}
      and created_at < to_timestamp(${before}::bigint / 1000.0)
      and seq in (select seq from announcements where ledger_id = ${tx.ledgerId}
        order by seq limit ${limit})
    returning seq`);
  return rows.map(({ seq }) => seq);
}

/** Inserts announcements with consecutive numbers, starting at `firstSeq`. */
export async function insertAnnouncements(
  tx: LedgerWriter,
  firstSeq: number,
  announcements: readonly Announcement[],
  at: number,
): Promise<void> {
  await tx.query(sql`
    insert into announcements (ledger_id, seq, type, subject, data, created_at)
    select own.ledger_id, ${firstSeq}::bigint + place - 1, type, subject, data,
      to_timestamp(${at}::bigint / 1000.0)
    from ${ownRow(tx.ledgerId)} as own, unnest(${textArray(announcements, ({ type }) => type)}::text[],
      ${textArray(announcements, ({ subject }) => subject)}::text[],
      ${textArray(announcements, ({ data }) => JSON.stringify(data))}::text[]
    ) with ordinality as row (type, subject, data, place)`);
}

/** Locks the head: other transactions that announce wait until this one ends. */
export async function lockAnnouncementHead(tx: LedgerWriter): Promise<void> {
  await tx.query(sql`
    select seq from announcement_heads where ledger_id = ${tx.ledgerId} for update`);
}

/** Ledgers whose oldest announcement was made before a time (ms). */
export async function selectPrunableLedgers(
  installation: Installation,
  before: number,
): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select org_id, ledger_id, mode from (
      select l.org_id, l.ledger_id, l.mode, (select a.created_at from announcements a
        where a.ledger_id = l.ledger_id order by a.seq limit 1) as oldest_at
      from ${LEDGERS} as l
    ) as announced where oldest_at < to_timestamp(${before}::bigint / 1000.0)`);
  return rows.map(toScope);
}

/** Stores the highest number that was pruned. */
export async function updatePruned(tx: LedgerWriter, prunedSeq: number): Promise<void> {
  await tx.query(sql`
    update announcement_heads set pruned_seq = greatest(pruned_seq, ${prunedSeq}::bigint)
    where ledger_id = ${tx.ledgerId}`);
}

/** The result of verifying a whole chain. */
export interface VerificationRow {
  readonly chain: ChainName;
  readonly is_valid: boolean;
  readonly records_checked: number;
  readonly erased_fields: number;
  readonly head_seq: number;
  readonly head_hash: string;
  /** ms. */
  readonly verified_at: number;
}

/** Keeps a verification as the last one, unless a later one is kept already. */
export async function upsertVerification(tx: LedgerWriter, row: VerificationRow): Promise<void> {
  await tx.query(sql`
    insert into verifications as v (ledger_id, chain, is_valid, records_checked, erased_fields,
      head_seq, head_hash, verified_at)
    values (${tx.ledgerId}, ${row.chain}, ${row.is_valid}, ${row.records_checked},
      ${row.erased_fields}, ${row.head_seq}, ${row.head_hash},
      to_timestamp(${row.verified_at}::bigint / 1000.0))
    on conflict (ledger_id, chain) do update set is_valid = excluded.is_valid,
      records_checked = excluded.records_checked, erased_fields = excluded.erased_fields,
      head_seq = excluded.head_seq, head_hash = excluded.head_hash,
      verified_at = excluded.verified_at
    where v.verified_at <= excluded.verified_at`);
}

export async function selectVerifications(ledger: LedgerReader): Promise<VerificationRow[]> {
  return ledger.query<VerificationRow>(sql`
    select chain, is_valid, records_checked, erased_fields, head_seq, head_hash,
      (extract(epoch from verified_at) * 1000)::bigint as verified_at
    from verifications where ledger_id = ${ledger.ledgerId}`);
}
