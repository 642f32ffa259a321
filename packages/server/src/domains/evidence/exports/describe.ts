import { notFound } from '@decision-ledger/contract/errors';
import type { Export, ExportQuery } from '@decision-ledger/contract/export';
import { formatTimestamp } from '@decision-ledger/contract/time';
import { holdsRecords } from '@decision-ledger/proof/bundle/format';
import { idToUuid, uuidToId } from '../../../platform/ids.js';
import type { LedgerReader, LedgerWriter } from '../../../platform/ledger.js';
import { mapPage, type PageRows } from '../../../platform/page.js';
import { announce } from '../../log/announcements/index.js';
import { storedFilter } from './selection.js';
import { type ExportRow, selectExport, selectExportPage } from './store/exports.js';

/** Exports of more decisions have a warning. */
export const LARGE = 50_000;

/** Maximum while the archive is not signed and stored. */
const MAX_RUNNING_PROGRESS = 0.99;

/** A stored export as the API returns it. */
export function describeExport(row: ExportRow, downloadUrl: string | null): Export {
  const { reason, bytes, sha256, key_fingerprint, filter_commitment } = row;
  const stored = storedFilter(row);
  return {
    export_id: uuidToId('exp', row.export_id),
    export_type: row.export_type,
    ...(row.agent_id !== null && { agent_id: row.agent_id }),
    ...(stored !== null && { filter: stored.filter }),
    ...(filter_commitment !== null && { filter_commitment }),
    ...(holdsRecords(row.export_type) && { range_basis: row.range_basis }),
    start_date: formatTimestamp(row.range_start),
    end_date: formatTimestamp(row.range_end),
    status: row.status,
    progress: progressOf(row),
    decisions: row.decisions,
    warnings: row.is_large
      ? [
          `the range contains more than ${LARGE} decisions: the export takes long and its file is large`,
        ]
      : [],
    ...(reason !== null && { reason }),
    requested_by: row.requested_by,
    created_at: formatTimestamp(row.created_at),
    completed_at: moment(row.completed_at),
    expires_at: moment(row.expires_at),
    ...(bytes !== null && { bytes }),
    ...(sha256 !== null && { sha256 }),
    ...(key_fingerprint !== null && { key_fingerprint }),
    ...(downloadUrl !== null && { download_url: downloadUrl }),
  };
}

function progressOf({ status, written, total }: ExportRow): number {
  if (status === 'complete' || status === 'expired') return 1;
  if (total === 0) return 0;
  return Math.floor(Math.min(MAX_RUNNING_PROGRESS, written / total) * 100) / 100;
}

function moment(ms: number | null): string | null {
  return ms === null ? null : formatTimestamp(ms);
}

/** @throws LedgerError `not_found` */
export async function readExport(ledger: LedgerReader, exportId: string): Promise<ExportRow> {
  const uuid = idToUuid('exp', exportId);
  const row = uuid === null ? null : await selectExport(ledger, uuid);
  if (row === null) throw notFound('export');
  return row;
}

export interface ListedExport {
  readonly uuid: string;
  readonly shown: Export;
}

/** Exports of a ledger, newest first. */
export async function listExports(
  ledger: LedgerReader,
  { status }: ExportQuery,
  before: string | null,
  limit: number,
): Promise<PageRows<ListedExport>> {
  const page = await selectExportPage(ledger, status, before, limit);
  return mapPage(page, (row) => ({ uuid: row.export_id, shown: describeExport(row, null) }));
}

/** Announces the new status of an export (UUID), in the transaction that sets it. */
export async function notifyStatus(
  tx: LedgerWriter,
  exportId: string,
  status: Export['status'],
  at: number,
): Promise<void> {
  const subject = uuidToId('exp', exportId);
  const data = { export_id: subject, status };
  await announce(tx, [{ type: 'export.updated', subject, data }], at);
}
