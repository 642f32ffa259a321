import { notFound } from '@decision-ledger/contract/errors';
import type { Export, ExportQuery } from '@decision-ledger/contract/export';
import { idToUuid } from '../../../platform/ids.js';
import type { LedgerReader } from '../../../platform/ledger.js';
import { mapPage, type PageRows } from '../../../platform/page.js';
import { describeExport } from './describe.js';
import { type ExportRow, selectExport, selectExportPage } from './store/exports.js';

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
