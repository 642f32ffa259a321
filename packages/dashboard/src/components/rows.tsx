import { BYTE_ORDER_MARK, type CsvCell, spreadsheetRow } from '@decision-ledger/contract/csv';
import { Button, Group, Table, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { now } from '../app/clock.ts';
import { present } from '../app/search-params.ts';
import { formatQuantity } from '../format/numbers.ts';
import { Icon } from './icon.tsx';
import { ErrorPanel } from './load-states.tsx';

/** One page of a list. */
interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

/** A request for one page. */
interface PageRequest {
  /** Undefined for the first page. */
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type LoadRows<Row> = (request: PageRequest) => Promise<RowPage<Row>>;

/** A list of the client. */
export type ListCall<Page> = (
  query: { readonly cursor?: string; readonly limit?: number },
  options: { readonly signal: AbortSignal },
) => { page(): Promise<Page> };

/**
 * Reads the rows of a list of the API.
 * @param rowsOf the rows of a page
 */
export function loadWith<Page extends { readonly next_cursor: string | null }, Row>(
  list: ListCall<Page>,
  rowsOf: (page: Page) => readonly Row[] | Promise<readonly Row[]>,
): LoadRows<Row> {
  return async ({ signal, ...wanted }) => {
    const page = await list(present(wanted), { signal }).page();
    return { rows: await rowsOf(page), next: page.next_cursor };
  };
}

interface ShortTableProps<Row> {
  /** What the rows are, for readers of the screen. */
  readonly label: string;
  /** A narrower screen scrolls the table. */
  readonly minWidth: number;
  readonly csv: CsvTable<Row>;
  /** All rows, or how they are read if the page shows only some of them. */
  readonly rows: readonly Row[] | LoadRows<Row>;
  readonly className?: string | undefined;
  /** The head and the body. */
  readonly children: ReactNode;
}

/** A table of a page whose rows are few, with all of them as a file. */
export function ShortTable<Row>({
  label,
  minWidth,
  csv,
  rows,
  className,
  children,
}: ShortTableProps<Row>) {
  const load: LoadRows<Row> =
    typeof rows === 'function' ? rows : () => Promise.resolve({ rows, next: null });
  return (
    <div>
      <CsvButton label={label} table={csv} load={load} />
      <Table.ScrollContainer minWidth={minWidth}>
        <Table aria-label={label} className={className}>
          {children}
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}

/** How a table is written as a file. */
export interface CsvTable<Row> {
  /** Name of the file, without the day and its ending. */
  readonly name: string;
  readonly columns: CsvColumns<Row>;
}

interface CsvButtonProps<Row> {
  /** The `aria-label` of the table: a page may have several. */
  readonly label: string;
  readonly table: CsvTable<Row>;
  readonly load: LoadRows<Row>;
}

/** Downloads every row of a table, not only those that are loaded. */
export function CsvButton<Row>({ label, table, load }: CsvButtonProps<Row>) {
  const { rows, error, start, cancel } = useDownload(table, load);
  return (
    <div data-screen-only>
      <Group justify="flex-end" gap="xs" mb={4} mih={26}>
        {rows === null ? (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={`Download CSV: ${label}`}
            leftSection={<Icon name="download" size={14} />}
            onClick={start}
          >
            Download CSV
          </Button>
        ) : (
          <>
            <Text size="xs" c="dimmed" role="status">
              {formatQuantity(rows, 'row')} read
            </Text>
            <Button size="compact-xs" variant="default" onClick={cancel}>
              Cancel
            </Button>
          </>
        )}
      </Group>
      {error !== null && <ErrorPanel error={error} onRetry={start} />}
    </div>
  );
}

function useDownload<Row>({ name, columns }: CsvTable<Row>, load: LoadRows<Row>) {
  const [rows, setRows] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const read = async () => {
    const controller = new AbortController();
    running.current = controller;
    setError(null);
    setRows(0);
    try {
      const { signal } = controller;
      const file = await readCsvFile(load, columns, { signal, onProgress: setRows });
      save(file, `${name}-${new Date(now()).toISOString().slice(0, 10)}.csv`);
    } catch (problem) {
      if (!controller.signal.aborted && problem instanceof Error) setError(problem);
    }
    if (running.current === controller) setRows(null);
  };
  return {
    rows,
    error,
    start: () => void read(),
    cancel: () => {
      running.current?.abort();
      setRows(null);
    },
  };
}

/** A browser reads the address after the click, so it is kept for a while. */
const KEPT_MS = 60_000;

function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT_MS);
}

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
async function readCsvFile<Row>(
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

/** Offers a text to the person as a file to save. */
export function saveText(name: string, text: string): void {
  save(new Blob([text], { type: 'text/plain' }), name);
}
