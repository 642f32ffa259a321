import type { ExposureAnalysis } from '@decision-ledger/client/api/exposure';
import { Anchor, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { differenceOf } from '../../format/decimal.ts';

/** The decisions that could still cost most. */
export function TopDecisions({ analysis }: { analysis: ExposureAnalysis }) {
  const { top_decisions, currency } = analysis;
  const money = (amount: string | null) => amount !== null && <Money {...{ amount, currency }} />;
  return (
    <Table.ScrollContainer minWidth={900}>
      <Table aria-label="Largest exposures">
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
      </Table>
    </Table.ScrollContainer>
  );
}
