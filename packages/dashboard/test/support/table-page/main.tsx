import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import {
  type Column,
  DataTable,
  type RowSource,
  rowLink,
} from '#dashboard/components/data-table/data-table.tsx';

const ROWS = 10_000_000;

/** One page of ten million numbers, each made when it is read. */
const numbers = new Proxy<number[]>([], {
  get(target, name) {
    if (name === 'length') return ROWS;
    return typeof name === 'string' && /^\d+$/.test(name)
      ? Number(name)
      : Reflect.get(target, name);
  },
});

const SOURCE: RowSource<number> = {
  queryKey: ['numbers'],
  load: () => Promise.resolve({ rows: numbers, next: null }),
};

const COLUMNS: readonly Column<number>[] = [
  {
    id: 'number',
    header: 'Number',
    width: '1fr',
    cell: (number) => (
      <a className={rowLink} href={`#${number}`}>
        {number}
      </a>
    ),
  },
];

createRoot(document.getElementById('root') ?? document.body).render(
  <MantineProvider>
    <QueryClientProvider client={new QueryClient()}>
      <h1>A long list</h1>
      <DataTable
        label="Numbers"
        columns={COLUMNS}
        source={SOURCE}
        rowKey={String}
        csv={{ name: 'numbers', columns: { number: (number) => number } }}
        empty="No numbers"
      />
      <footer>The end</footer>
    </QueryClientProvider>
  </MantineProvider>,
);
