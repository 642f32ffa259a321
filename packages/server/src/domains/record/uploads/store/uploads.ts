import type { UploadableField, UploadBody } from '@decision-ledger/contract/upload';
import sql, { raw } from 'sql-template-tag';
import { float8Array, textArray, uuidArray } from '../../../../platform/binary-array.js';
import { type LedgerReader, type LedgerWriter, ownRow } from '../../../../platform/ledger.js';
import { type Scope, type StoredScope, toScope } from '../../../../platform/principal.js';
import { type Installation, instant, LEDGERS } from '../../../../platform/statement.js';

/** A stored upload: times in ms, digest in hexadecimal. */
export interface UploadRow extends UploadBody {
  /** UUID. */
  readonly upload_id: string;
  readonly sealed_key: Buffer;
  readonly expires_at: number;
  readonly received: number;
  /** What a field of a decision becomes: canonical JSON. Null until all bytes have arrived. */
  readonly value: string | null;
  /** The decision that has taken it; null while none has. */
  readonly seq: number | null;
}

/** A place in the record that takes an upload. */
export interface UploadClaim {
  /** UUID. */
  readonly uploadId: string;
  readonly field: UploadableField;
}

export async function insertUpload(
  tx: LedgerWriter,
  upload: Pick<UploadRow, 'upload_id' | 'size' | 'sha256' | 'media_type' | 'sealed_key'> & {
    readonly createdAt: number;
    readonly expiresAt: number;
  },
): Promise<void> {
  await tx.query(sql`
    insert into uploads (ledger_id, upload_id, size, sha256, media_type, sealed_key, created_at, expires_at)
    select own.ledger_id, ${upload.upload_id}::uuid, ${upload.size}::bigint,
      decode(${upload.sha256}, 'hex'), ${upload.media_type}, ${upload.sealed_key}::bytea,
      ${instant(upload.createdAt)}, ${instant(upload.expiresAt)}
    from ${ownRow(tx.ledgerId)} as own`);
}

/** What waits for a decision. */
export async function sumOpen(
  ledger: LedgerReader,
): Promise<{ readonly uploads: number; readonly bytes: number }> {
  const [row] = await ledger.query<{ uploads: number; bytes: number }>(sql`
    select count(*)::bigint as uploads, coalesce(sum(size), 0)::bigint as bytes from uploads
    where ledger_id = ${ledger.ledgerId} and seq is null`);
  return row ?? { uploads: 0, bytes: 0 };
}

const COLUMNS = raw(`upload_id, size, encode(sha256, 'hex') as sha256, media_type, sealed_key,
  (extract(epoch from expires_at) * 1000)::bigint as expires_at, received, value, seq`);

export async function selectUploads(
  ledger: LedgerReader,
  uploadIds: readonly string[],
): Promise<UploadRow[]> {
  return ledger.query<UploadRow>(sql`
    select ${COLUMNS} from uploads
    where ledger_id = ${ledger.ledgerId}
      and upload_id = any(${uuidArray(uploadIds, (id) => id)}::uuid[])`);
}

/** The upload that a field of a decision (UUID) stands for. */
export async function selectUploadOf(
  ledger: LedgerReader,
  decisionId: string,
  field: UploadableField,
): Promise<UploadRow | null> {
  const [row] = await ledger.query<UploadRow>(sql`
    select ${COLUMNS} from uploads
    where ledger_id = ${ledger.ledgerId} and field = ${field} and seq = (
      select d.seq from decisions d
      where d.ledger_id = ${ledger.ledgerId} and d.decision_id = ${decisionId})`);
  return row ?? null;
}

/**
 * Adds a chunk where the next one begins.
 * @param value what a field becomes, with the last chunk; else null
 * @returns false if another chunk begins there, or the upload is gone
 */
export async function insertChunk(
  tx: LedgerWriter,
  { upload_id }: Pick<UploadRow, 'upload_id'>,
  chunk: {
    readonly start: number;
    readonly end: number;
    readonly sealed: Buffer;
    readonly value: string | null;
  },
): Promise<boolean> {
  const moved = await tx.query(sql`
    update uploads set received = ${chunk.end}::bigint, value = ${chunk.value}
    where ledger_id = ${tx.ledgerId} and upload_id = ${upload_id}
      and received = ${chunk.start}::bigint and seq is null
    returning upload_id`);
  if (moved.length === 0) return false;
  await tx.query(sql`
    insert into upload_chunks (ledger_id, upload_id, start, bytes)
    select own.ledger_id, ${upload_id}::uuid, ${chunk.start}::bigint, ${chunk.sealed}::bytea
    from ${ownRow(tx.ledgerId)} as own`);
  return true;
}

/** The sealed bytes of a chunk; null if there is none. */
export async function selectChunk(
  ledger: LedgerReader,
  { upload_id }: Pick<UploadRow, 'upload_id'>,
  start: number,
): Promise<Buffer | null> {
  const [row] = await ledger.query<{ bytes: Buffer }>(sql`
    select bytes from upload_chunks
    where ledger_id = ${ledger.ledgerId} and upload_id = ${upload_id} and start = ${start}::bigint`);
  return row?.bytes ?? null;
}

/** What is stored of an upload that a decision took. */
export interface TakenUploadRow {
  readonly seq: number;
  readonly field: UploadableField;
  readonly sha256: string;
  /** Bytes in its chunks, with what sealing adds. */
  readonly stored: number;
}

export async function selectTaken(
  ledger: LedgerReader,
  seqs: readonly number[],
): Promise<TakenUploadRow[]> {
  return ledger.query<TakenUploadRow>(sql`
    select u.seq, u.field, encode(u.sha256, 'hex') as sha256, (
      select coalesce(sum(octet_length(c.bytes)), 0)::bigint from upload_chunks c
      where c.ledger_id = ${ledger.ledgerId} and c.upload_id = u.upload_id) as stored
    from uploads u
    where u.ledger_id = ${ledger.ledgerId}
      and u.seq = any(${float8Array(seqs, (seq) => seq)}::float8[]::bigint[])`);
}

/** An upload with the field that stands for it. */
export interface TakenUpload extends UploadRow {
  readonly seq: number;
  readonly field: UploadableField;
  /** UUID. */
  readonly decision_id: string;
}

/** The uploads that decisions have taken, in the order of the chain. */
export async function selectTakenUploads(
  ledger: LedgerReader,
  span: {
    readonly after: Pick<TakenUpload, 'seq' | 'field'>;
    readonly lastSeq: number;
    readonly limit: number;
  },
): Promise<TakenUpload[]> {
  const { seq, field } = span.after;
  return ledger.query<TakenUpload>(sql`
    select ${COLUMNS}, field, (
      select d.decision_id from decisions d
      where d.ledger_id = ${ledger.ledgerId} and d.seq = uploads.seq) as decision_id
    from uploads
    where ledger_id = ${ledger.ledgerId} and seq >= ${seq} and seq <= ${span.lastSeq}
      and (seq, field) > (${seq}::bigint, ${field})
    order by seq, field limit ${span.limit}`);
}

/**
 * Locks uploads until the transaction ends.
 * @param now ms
 * @returns those that a decision may take
 */
export async function lockOpenUploads(
  tx: LedgerWriter,
  uploadIds: readonly string[],
  now: number,
): Promise<string[]> {
  const rows = await tx.query<{ upload_id: string }>(sql`
    select upload_id from uploads
    where ledger_id = ${tx.ledgerId} and seq is null and value is not null
      and upload_id = any(${uuidArray(uploadIds, (id) => id)}::uuid[])
      and expires_at > ${instant(now)}
    order by upload_id for update`);
  return rows.map(({ upload_id }) => upload_id);
}

/** Gives uploads that are locked to decisions. */
export async function takeUploads(
  tx: LedgerWriter,
  claims: readonly (UploadClaim & { readonly seq: number })[],
): Promise<void> {
  await tx.query(sql`
    update uploads set seq = claim.seq::bigint, field = claim.field
    from unnest(${uuidArray(claims, ({ uploadId }) => uploadId)}::uuid[],
      ${float8Array(claims, ({ seq }) => seq)}::float8[],
      ${textArray(claims, ({ field }) => field)}::text[]) as claim (upload_id, seq, field)
    where uploads.ledger_id = ${tx.ledgerId} and uploads.upload_id = claim.upload_id`);
}

/** Ledgers with uploads that no decision has taken in time. */
export async function selectLedgersWithExpired(
  installation: Installation,
  now: number,
): Promise<Scope[]> {
  const rows = await installation.queryAcross<StoredScope>(sql`
    select l.org_id, l.ledger_id, l.mode from ${LEDGERS} as l
    where exists (select from uploads u
      where u.ledger_id = l.ledger_id and u.seq is null and u.expires_at <= ${instant(now)})`);
  return rows.map(toScope);
}

/** @returns how many were deleted, at most a hundred */
export async function dropExpired(ledger: LedgerWriter, now: number): Promise<number> {
  const [row] = await ledger.query<{ dropped: number }>(sql`
    select drop_expired_uploads(${ledger.ledgerId}::uuid, ${instant(now)}) as dropped`);
  return row?.dropped ?? 0;
}
