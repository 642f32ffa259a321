import type { ExposureAnalysis, ExposureQuery } from '@decision-ledger/client/api/exposure';
import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.ts';
import { loadWith } from '../../components/data-table/pages.ts';
import { EXPOSURE_ROWS_CSV, exposureRowsOf } from '../../components/exposure-rows-csv.ts';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { differenceOf } from '../../format/decimal.ts';

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
