import { notFound } from '@decision-ledger/contract/errors';
import type { Export, ExportQuery } from '@decision-ledger/contract/export';
import type { Queryable } from '../../../platform/database.js';
import { idToUuid } from '../../../platform/ids.js';
import { mapPage, type PageRows } from '../../../platform/page.js';
import type { Scope } from '../../../platform/scope.js';
import { describeExport } from './describe.js';
import { type ExportRow, selectExport, selectPage } from './store/exports.js';

/** @throws LedgerError `not_found` */
export async function readExport(
  db: Queryable,
  scope: Pick<Scope, 'ledgerId'>,
  exportId: string,
): Promise<ExportRow> {
  const uuid = idToUuid('exp', exportId);
  const row = uuid === null ? null : await selectExport(db, scope, uuid);
  if (row === null) throw notFound('export');
  return row;
}

export interface ListedExport {
  readonly uuid: string;
  readonly shown: Export;
}

/** Exports of a ledger, newest first. */
export async function listExports(
  db: Queryable,
  scope: Scope,
  { status }: ExportQuery,
  before: string | null,
  limit: number,
): Promise<PageRows<ListedExport>> {
  const page = await selectPage(db, scope, status, before, limit);
  return mapPage(page, (row) => ({ uuid: row.export_id, shown: describeExport(row, null) }));
}
