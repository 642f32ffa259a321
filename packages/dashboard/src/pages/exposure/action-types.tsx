import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import { Anchor, Table } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { CsvTable } from '../../components/csv/csv-button.tsx';
import { Money } from '../../components/money.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { coordinateOf } from '../../format/decimal.ts';
import { formatCount } from '../../format/numbers.ts';
import classes from './exposure.module.css';

type Row = ExposureAnalysis['by_action_type'][number] & { readonly currency: string };

const CSV: CsvTable<Row> = {
  name: 'exposure-by-action-type',
  columns: {
    action_type: ({ action_type }) => action_type,
    decisions: ({ decisions }) => decisions,
    exposure: ({ exposure }) => ({ decimal: exposure }),
    open: ({ open }) => ({ decimal: open }),
    realised: ({ realised }) => ({ decimal: realised }),
    currency: ({ currency }) => currency,
  },
};

const route = getRouteApi('/shell/exposure');

export function ActionTypes({ analysis }: { analysis: ExposureAnalysis }) {
  const search = route.useSearch();
  const { by_action_type: rows, currency } = analysis;
  const most = Math.max(0, ...rows.map(({ open }) => coordinateOf(open)));
  return (
    <ShortTable
      label="Exposure by action type"
      minWidth={560}
      csv={CSV}
      rows={rows.map((row) => ({ ...row, currency }))}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Action type</Table.Th>
          <Table.Th ta="end">Decisions</Table.Th>
          <Table.Th ta="end">Could still cost</Table.Th>
          <Table.Th w="30%" aria-label="Drawing" />
          <Table.Th ta="end">Lost already</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ action_type, decisions, open, realised }) => (
          <Table.Tr key={action_type}>
            <Table.Td>
              <Anchor
                renderRoot={(props) => (
                  <Link to="/exposure" search={{ ...search, action: action_type }} {...props} />
                )}
              >
                {action_type}
              </Anchor>
            </Table.Td>
            <Table.Td ta="end">{formatCount(decisions)}</Table.Td>
            <Table.Td ta="end">
              <Money amount={open} currency={currency} />
            </Table.Td>
            <Table.Td>
              <span
                className={classes.bar}
                style={{ width: `${most === 0 ? 0 : (coordinateOf(open) / most) * 100}%` }}
              />
            </Table.Td>
            <Table.Td ta="end">
              <Money amount={realised} currency={currency} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}
