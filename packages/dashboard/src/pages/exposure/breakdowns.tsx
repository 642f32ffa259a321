import type { ExposureAnalysis, ExposureQuery } from '@decision-ledger/client/api/exposure';
import { Anchor, Table } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.tsx';
import { EXPOSURE_ROWS_CSV, exposureRowsOf } from '../../components/csv-tables.ts';
import { type CsvTable, loadWith, ShortTable } from '../../components/rows.tsx';
import { Moment, Money } from '../../components/values.tsx';
import { coordinateOf, differenceOf } from '../../format/decimal.ts';
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

interface TopDecisionsProps {
  readonly analysis: ExposureAnalysis;
  readonly query: ExposureQuery;
}

/** The decisions that could still cost most. The file has every decision of the range. */
export function TopDecisions({ analysis, query }: TopDecisionsProps) {
  const ledger = useLedger();
  const { top_decisions, currency } = analysis;
  const money = (amount: string | null) => amount !== null && <Money {...{ amount, currency }} />;
  return (
    <ShortTable
      label="Largest exposures"
      minWidth={900}
      csv={EXPOSURE_ROWS_CSV}
      rows={loadWith(
        (wanted, options) => ledger.analytics.liabilityRows({ ...query, ...wanted }, options),
        exposureRowsOf,
      )}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Decision</Table.Th>
          <Table.Th>Decided</Table.Th>
          <Table.Th ta="end">Could still cost</Table.Th>
          <Table.Th ta="end">9 in 10: from</Table.Th>
          <Table.Th ta="end">to</Table.Th>
          <Table.Th ta="end">A loss, if any: median</Table.Th>
          <Table.Th ta="end">19 in 20 below</Table.Th>
          <Table.Th ta="end">Lost already</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {top_decisions.map((row) => (
          <Table.Tr key={row.decision_id}>
            <Table.Td>
              <Anchor
                renderRoot={(props) => (
                  <Link
                    to="/decisions/$decisionId"
                    params={{ decisionId: row.decision_id }}
                    {...props}
                  />
                )}
              >
                {row.action_type} by {row.agent_id}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Moment time={row.timestamp} />
            </Table.Td>
            <Table.Td ta="end">{money(row.open)}</Table.Td>
            <Table.Td ta="end">{money(differenceOf(row.realised, row.expected_low))}</Table.Td>
            <Table.Td ta="end">{money(differenceOf(row.realised, row.expected_high))}</Table.Td>
            <Table.Td ta="end">{money(row.loss_if_any_p50)}</Table.Td>
            <Table.Td ta="end">{money(row.loss_if_any_p95)}</Table.Td>
            <Table.Td ta="end">{money(row.realised)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}
