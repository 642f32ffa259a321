import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { hashKey, useQueries, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import {
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatCount } from '../../format/numbers.ts';
import { ErrorPanel } from '../load-states.tsx';
import { CsvButton, type CsvTable, type LoadRows } from '../rows.tsx';
import classes from './data-table.module.css';
import { useWindow } from './use-window.ts';

interface DataTableProps<Row> {
  /** What the rows are, for readers of the screen. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly source: RowSource<Row>;
  readonly rowKey: (row: Row) => string;
  /** How all rows are written as a file. */
  readonly csv: CsvTable<Row>;
  /** In place of a list without rows. */
  readonly empty: ReactNode;
}

const ROW_PX = 37;
const OVERSCAN = 6;
/** Rows that stand for the page that is loaded next. */
const PENDING_ROWS = 8;

/** A list of any length, read while it is scrolled with the page. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  // Another list begins at its top, with nothing of the former one.
  return <Table key={hashKey(props.source.queryKey)} {...props} />;
}

function Table<Row>({ label, columns, source, rowKey, csv, empty }: DataTableProps<Row>) {
  const shown = useShownColumns(columns);
  const body = useRef<HTMLTableSectionElement>(null);
  const [view, setView] = useState({ first: 0, last: 0 });
  const rows = useRows(source, view.first, view.last);
  const count = rows.count + (rows.isComplete ? 0 : PENDING_ROWS);
  const { height, first, last, drawn } = useWindow({
    ...{ body, count, rowPx: ROW_PX, overscan: OVERSCAN },
  });
  useEffect(() => setView({ first, last }), [first, last]);
  if (rows.isComplete && rows.count === 0) return empty;
  const tracks = shown.map(({ width }) => width).join(' ');
  return (
    <>
      <CsvButton label={label} table={csv} load={source.load} />
      <table
        className={classes.table}
        aria-label={label}
        aria-rowcount={rows.isComplete ? rows.count + 1 : -1}
        aria-busy={rows.isFirstPending}
      >
        <Head columns={shown} tracks={tracks} />
        {rows.error !== null && (
          <caption className={classes.error}>
            <ErrorPanel error={rows.error} onRetry={rows.retry} />
          </caption>
        )}
        <tbody ref={body} className={classes.body} style={{ height }}>
          {drawn.map(({ index, top }) => {
            const row = rows.row(index);
            return (
              <TableRow
                key={row === undefined ? index : rowKey(row)}
                {...{ row, index, top, tracks, columns: shown }}
              />
            );
          })}
        </tbody>
      </table>
      {drawn.length < count && (
        <p data-print-only>
          Paper has the {formatCount(drawn.length)} rows that were on the screen. The CSV file of
          the list has all of them.
        </p>
      )}
    </>
  );
}

interface TableRowProps<Row> {
  readonly row: Row | undefined;
  readonly index: number;
  readonly top: number;
  readonly tracks: string;
  readonly columns: readonly Column<Row>[];
}

/** Most rows stay the same while the list is scrolled, and are not drawn again. */
const TableRow = memo(function TableRow<Row>({
  row,
  index,
  top,
  tracks,
  columns,
}: TableRowProps<Row>) {
  return (
    <tr
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ gridTemplateColumns: tracks, top }}
    >
      {columns.map((column) => (
        <td key={column.id} className={classes.cell} data-align={column.align}>
          {row === undefined ? <Skeleton height={12} width="70%" /> : column.cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: TableRowProps<Row>) => ReactNode;

function Head<Row>({ columns, tracks }: { columns: readonly Column<Row>[]; tracks: string }) {
  return (
    <thead className={classes.head}>
      <tr aria-rowindex={1} className={classes.headRow} style={{ gridTemplateColumns: tracks }}>
        {columns.map(({ id, header, align }) => (
          <th key={id} scope="col" className={classes.cell} data-align={align}>
            {header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A column of a table. The first one has the link that the whole row follows (`rowLink`). */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** A track of a CSS grid, such as `minmax(8rem, 2fr)`. */
  readonly width: string;
  readonly align?: 'end';
  /** The smallest screen that shows it; default: every screen. */
  readonly from?: 'tablet' | 'desktop';
  readonly cell: (row: Row) => ReactNode;
}

const NOW = { getInitialValueInEffect: false };

function useShownColumns<Row>(columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const isTablet = useMediaQuery('(min-width: 48em), print', true, NOW);
  const isDesktop = useMediaQuery('(min-width: 75em), print', true, NOW);
  return useMemo(() => {
    const fits = { tablet: isTablet, desktop: isDesktop };
    return columns.filter(({ from }) => from === undefined || fits[from]);
  }, [columns, isTablet, isDesktop]);
}

/** The class of the link in the first cell: a click anywhere in the row follows it. */
export const rowLink = classes.rowLink ?? '';

/**
 * The link of a row in a list that is scrolled fast. The router's own link follows the address of the page,
 * which costs more than all the rest of a row.
 * @param href a path of the dashboard
 */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a href={href} className={rowLink} onClick={follow}>
      {children}
    </a>
  );
}

/** The source of a list that is read by cursors. */
export interface RowSource<Row> {
  /** The key of its queries: everything that decides which rows it has. */
  readonly queryKey: readonly unknown[];
  readonly load: LoadRows<Row>;
}

/** Where a page is: its cursor, the place of its first row, and its length once it is known. */
interface Place {
  readonly cursor: string | undefined;
  readonly start: number;
  readonly length: number | null;
}

const FIRST: Place = { cursor: undefined, start: 0, length: null };
/** The first page is short, so that it shows soon; later ones are read well before they come into view. */
const FIRST_ROWS = 100;
const MORE_ROWS = 200;
/** Rows that are no longer in view are forgotten after this time, so that memory stays bounded. */
const KEPT_MS = 30_000;

interface Rows<Row> {
  /** Rows up to the end of the last page that was reached. */
  readonly count: number;
  readonly isComplete: boolean;
  readonly isFirstPending: boolean;
  readonly error: Error | null;
  /** Undefined while its page is loaded. */
  row(index: number): Row | undefined;
  retry(): void;
}

/**
 * The rows of a list around those in view. Only the cursors of all pages that were reached are kept; the
 * rows themselves are read again when they come back into view.
 */
function useRows<Row>(source: RowSource<Row>, first: number, last: number): Rows<Row> {
  const { queryKey, load } = source;
  const [places, learn] = usePlaces(queryKey);
  const inView = places.filter(
    ({ start, length }) => start <= last && (length === null || start + length > first),
  );
  const results = useQueries({
    queries: inView.map(({ cursor }) => ({
      queryKey: [...queryKey, 'page', cursor],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        load({ cursor, signal, limit: cursor === undefined ? FIRST_ROWS : MORE_ROWS }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: KEPT_MS,
    })),
  });
  const newest = inView.at(-1);
  const page = results.at(-1)?.data;
  useEffect(() => {
    if (newest?.length === null && page !== undefined) learn(newest, page.rows.length, page.next);
  }, [newest, page, learn]);
  const end = places.at(-1) ?? FIRST;
  const failed = results.find(({ error }) => error !== null);
  return {
    count: end.start + (end.length ?? 0),
    isComplete: end.length !== null,
    isFirstPending: end === places[0] && results[0]?.isPending === true,
    error: failed?.error ?? null,
    row(index) {
      const at = inView.findIndex(
        ({ start, length }) => index >= start && (length === null || index < start + length),
      );
      const place = inView[at];
      return place === undefined ? undefined : results[at]?.data?.rows[index - place.start];
    },
    retry: () => void failed?.refetch(),
  };
}

/** The places of the pages, which outlive the component: the way back finds the list as it was. */
function usePlaces(queryKey: readonly unknown[]) {
  const client = useQueryClient();
  const [places, setPlaces] = useState<readonly Place[]>(
    () => client.getQueryData<readonly Place[]>([...queryKey, 'places']) ?? [FIRST],
  );
  const learn = useCallback((place: Place, length: number, next: string | null) => {
    setPlaces((known) => {
      if (known.at(-1) !== place) return known;
      const { start, cursor } = place;
      const done = { start, cursor, length };
      const more = { cursor: next ?? undefined, start: start + length, length: null };
      return [...known.slice(0, -1), done, ...(next === null ? [] : [more])];
    });
  }, []);
  useEffect(() => {
    client.setQueryData([...queryKey, 'places'], places);
  });
  return [places, learn] as const;
}
