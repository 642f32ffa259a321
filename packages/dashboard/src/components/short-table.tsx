import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LoadRows } from './data-table/pages.ts';
import { CsvButton, type CsvTable } from './download.tsx';

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
