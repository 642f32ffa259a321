import { BYTE_ORDER_MARK, type CsvCell, spreadsheetRow } from '@decision-ledger/contract/csv';
import type { LoadRows } from '../data-table/pages.ts';

/** The columns of a file by their names, in their order. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell | undefined>>;

/** Rows that one request reads: the most that the service sends. */
const PAGE_ROWS = 500;

interface Reading {
  readonly signal: AbortSignal;
  /** Called after each page with the number of rows so far. */
  readonly onProgress: (rows: number) => void;
}

/**
 * All rows of a list as a file for spreadsheets, read page by page. Each page becomes a part that the browser
 * may keep on disk.
 * @throws if a page cannot be read, or the signal is aborted
 */
export async function readCsvFile<Row>(
  load: LoadRows<Row>,
  columns: CsvColumns<Row>,
  { signal, onProgress }: Reading,
): Promise<Blob> {
  const values = Object.values(columns);
  const parts = [new Blob([BYTE_ORDER_MARK, spreadsheetRow(Object.keys(columns))])];
  let rows = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await load({ cursor, limit: PAGE_ROWS, signal });
    signal.throwIfAborted();
    const lines = page.rows.map((row) => spreadsheetRow(values.map((value) => value(row) ?? null)));
    parts.push(new Blob(lines));
    rows += page.rows.length;
    onProgress(rows);
    cursor = page.next;
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}
