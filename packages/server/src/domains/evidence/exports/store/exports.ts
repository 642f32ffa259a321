import type { Export } from '@decision-ledger/contract/export';
import type { RangeBasis } from '@decision-ledger/proof/bundle/format';
import sql, { empty, raw } from 'sql-template-tag';
import type { LedgerReader, LedgerWriter } from '../../../../platform/ledger.js';
import { type PageRows, selectPageRows } from '../../../../platform/page.js';
import type { Scope } from '../../../../platform/principal.js';
import { type Installation, instant } from '../../../../platform/statement.js';

/** A stored export: times in ms. */
export interface ExportRow {
  readonly export_id: string;
  readonly export_type: Export['export_type'];
  /** Of a statement; null for all other types. */
  readonly agent_id: string | null;
  /** The disclosure of the filter; null without one, and when it was forgotten with the file. */
  readonly filter: string | null;
  /** The commitment to the filter; null without one. */
  readonly filter_commitment: string | null;
  readonly range_start: number;
  readonly range_end: number;
  readonly range_basis: RangeBasis;
  readonly status: Export['status'];
  readonly requested_by: string;
  readonly is_large: boolean;
  readonly created_at: number;
  readonly decisions: number | null;
  readonly total: number;
  readonly written: number;
  readonly failures: number;
  readonly reason: string | null;
  readonly completed_at: number | null;
  readonly expires_at: number | null;
  readonly activity_seq: number | null;
  readonly file: string | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly key_fingerprint: string | null;
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint as ${column}`;

const EXPORT_COLUMNS =
  raw(`export_id, export_type, agent_id, filter, filter_commitment, ${ms('range_start')}, ${ms('range_end')},
  range_basis, status, requested_by, is_large, ${ms('created_at')}, decisions, total, written, failures,
  reason,
  ${ms('completed_at')}, ${ms('expires_at')}, activity_seq, file, bytes, sha256, key_fingerprint`);

export type NewExport = Pick<
  ExportRow,
  | 'export_id'
  | 'export_type'
  | 'agent_id'
  | 'filter'
  | 'filter_commitment'
  | 'range_start'
  | 'range_end'
  | 'range_basis'
  | 'requested_by'
  | 'is_large'
  | 'created_at'
>;

/** Inserts a pending export. */
export async function insertExport(tx: LedgerWriter, row: NewExport): Promise<void> {
  await tx.query(sql`
    insert into exports (ledger_id, export_id, org_id, export_type, agent_id, filter,
      filter_commitment, range_start, range_end,
      range_basis, status, requested_by, is_large, created_at, total, written, failures)
    values (${tx.ledgerId}, ${row.export_id}, ${tx.scope.orgId}, ${row.export_type}, ${row.agent_id},
      ${row.filter}, ${row.filter_commitment},
      ${instant(row.range_start)},
      ${instant(row.range_end)}, ${row.range_basis}, 'pending',
      ${row.requested_by}, ${row.is_large}, to_timestamp(${row.created_at}::bigint / 1000.0), 0, 0,
      0)`);
}

/** @param exportId UUID, as in all functions of this module */
export async function selectExport(
  ledger: LedgerReader,
  exportId: string,
): Promise<ExportRow | null> {
  const [row] = await ledger.query<ExportRow>(sql`
    select ${EXPORT_COLUMNS} from exports
    where ledger_id = ${ledger.ledgerId} and export_id = ${exportId}::uuid`);
  return row ?? null;
}

/** The exports of a ledger that can be downloaded: at most those of one day. */
export async function selectComplete(ledger: LedgerReader): Promise<ExportRow[]> {
  return ledger.query<ExportRow>(sql`
    select ${EXPORT_COLUMNS} from exports
    where ledger_id = ${ledger.ledgerId} and status = 'complete' order by exports.export_id`);
}

/** Ids of the pending and running exports of a ledger. */
export async function selectUnfinished(ledger: LedgerReader): Promise<string[]> {
  const rows = await ledger.query<{ export_id: string }>(sql`
    select export_id from exports
    where ledger_id = ${ledger.ledgerId} and status in ('pending', 'running')`);
  return rows.map(({ export_id }) => export_id);
}

/** Locks the allowance of the organisation: its other requests wait until the transaction ends. */
export async function lockOrganisation(tx: LedgerWriter): Promise<void> {
  await tx.connection.query(sql`
    select pg_advisory_xact_lock(hashtextextended(concat('exports ', current_schema(), ' ', ${tx.scope.orgId}::text), 0))`);
}

/** Exports of both modes that count against an organisation's allowance: those that did not fail. */
export interface Usage {
  readonly used: number;
  /** Time of the request whose expiry allows the next one, ms; null if none. */
  readonly freedBy: number | null;
  /** Time of the newest request, ms. */
  readonly newest: number | null;
}

/**
 * @param ledgerIds UUIDs of the organisation's ledgers, which share its allowance
 * @param since ms: earlier requests no longer count
 * @param limit allowance
 */
export async function selectUsage(
  installation: Installation,
  { orgId }: Scope,
  ledgerIds: readonly string[],
  since: number,
  limit: number,
): Promise<Usage> {
  const [usage] = await installation.queryAcross<Usage>(sql`
    select count(*)::integer as used, max(at) as newest,
      (array_agg(at order by at))[greatest(1, count(*) - ${limit}::bigint + 1)::integer] as "freedBy"
    from (
      select (extract(epoch from created_at) * 1000)::bigint as at from exports
      where org_id = ${orgId} and ledger_id = any(${ledgerIds}::uuid[])
        and created_at > to_timestamp(${since}::bigint / 1000.0) and status <> 'failed'
    ) counted`);
  return usage ?? { used: 0, freedBy: null, newest: null };
}

/** @returns false if the export is no longer pending or running */
export async function updateStarted(tx: LedgerWriter, exportId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = 'running'
    where ledger_id = ${tx.ledgerId} and export_id = ${exportId}::uuid
      and status in ('pending', 'running') returning export_id`);
  return rows.length === 1;
}

export interface ProgressRow {
  /** Decisions in the range. */
  readonly decisions: number;
  readonly written: number;
  readonly total: number;
}

/** @returns false if the export is no longer running */
export async function updateProgress(
  tx: LedgerWriter,
  exportId: string,
  { decisions, written, total }: ProgressRow,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set decisions = ${decisions}, written = ${written}, total = ${total}
    where ledger_id = ${tx.ledgerId} and export_id = ${exportId}::uuid and status = 'running'
    returning export_id`);
  return rows.length === 1;
}

/** Resets the progress of a running export, with the reason of its restart. */
export async function updateRestarted(
  tx: LedgerWriter,
  exportId: string,
  reason: string,
): Promise<void> {
  await tx.query(sql`
    update exports set reason = ${reason}, written = 0
    where ledger_id = ${tx.ledgerId} and export_id = ${exportId}::uuid and status = 'running'`);
}

export interface Completion {
  /** ms. */
  readonly completedAt: number;
  readonly expiresAt: number;
  /** Last seq of the chain of activity when the export started. */
  readonly activitySeq: number;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly fingerprint: string;
}

/** @returns false if the export is no longer running */
export async function updateComplete(
  tx: LedgerWriter,
  exportId: string,
  done: Completion,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = 'complete', reason = null, written = total,
      completed_at = to_timestamp(${done.completedAt}::bigint / 1000.0),
      expires_at = to_timestamp(${done.expiresAt}::bigint / 1000.0),
      activity_seq = ${done.activitySeq}, file = ${done.file}, bytes = ${done.bytes},
      sha256 = ${done.sha256}, key_fingerprint = ${done.fingerprint}
    where ledger_id = ${tx.ledgerId} and export_id = ${exportId}::uuid and status = 'running'
    returning export_id`);
  return rows.length === 1;
}

/**
 * Counts a failure; the last allowed one fails the export.
 * @returns the new status; null if the export is no longer pending or running
 */
export async function updateFailure(
  tx: LedgerWriter,
  exportId: string,
  reason: string,
  maxFailures: number,
): Promise<ExportRow['status'] | null> {
  const [row] = await tx.query<Pick<ExportRow, 'status'>>(sql`
    update exports set failures = failures + 1, reason = ${reason},
      status = case when failures + 1 >= ${maxFailures}::integer then 'failed' else status end,
      filter = case when failures + 1 >= ${maxFailures}::integer then null else filter end
    where ledger_id = ${tx.ledgerId} and export_id = ${exportId}::uuid
      and status in ('pending', 'running')
    returning status`);
  return row?.status ?? null;
}

/**
 * Fails the exports requested before a time (ms) that are still pending or running.
 * @returns their ids
 */
export async function updateStalled(
  tx: LedgerWriter,
  before: number,
  reason: string,
): Promise<string[]> {
  const rows = await tx.query<{ export_id: string }>(sql`
    update exports set status = 'failed', reason = ${reason}, filter = null
    where ledger_id = ${tx.ledgerId} and status in ('pending', 'running')
      and created_at < to_timestamp(${before}::bigint / 1000.0)
    returning export_id`);
  return rows.map((row) => row.export_id);
}

/** @returns false if the export is not complete */
export async function updateExpired(
  tx: LedgerWriter,
  exportId: string,
  reason: string,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update exports set status = 'expired', reason = ${reason}, filter = null
    where ledger_id = ${tx.ledgerId} and export_id = ${exportId}::uuid and status = 'complete'
    returning export_id`);
  return rows.length === 1;
}

/**
 * Newest first.
 * @param before UUID of the last export of the previous page
 */
export async function selectExportPage(
  ledger: LedgerReader,
  status: ExportRow['status'] | undefined,
  before: string | null,
  limit: number,
): Promise<PageRows<ExportRow>> {
  const only = status === undefined ? empty : sql` and status = ${status}`;
  const older = before === null ? empty : sql` and export_id < ${before}::uuid`;
  const rows = sql`
    select * from exports where ledger_id = ${ledger.ledgerId}${only}${older}
    order by exports.export_id desc`;
  return selectPageRows<ExportRow>(ledger, { ...PAGE, rows }, limit);
}

const PAGE = {
  table: raw('exports'),
  columns: EXPORT_COLUMNS,
  order: raw('export_id desc'),
  bytes: raw('coalesce(octet_length(reason), 0) + coalesce(octet_length(filter), 0)'),
};

/** Ledgers of all organisations with a pending, running or complete export. */
export async function selectLedgersWithExports(installation: Installation): Promise<Scope[]> {
  return installation.queryAcross<Scope>(sql`
    select l.org_id as "orgId", l.ledger_id as "ledgerId", l.mode from ledgers l
    where l.ledger_id in (
      select e.ledger_id from exports e where e.status in ('pending', 'running', 'complete'))`);
}
