import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import { Anchor, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CsvTable } from '../../components/csv/csv-button.tsx';
import { Moment } from '../../components/moment.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { formatCount, formatDecimal } from '../../format/numbers.ts';

const CSV: CsvTable<LiabilityBacktest['agents'][number]> = {
  name: 'reliability',
  columns: {
    agent_id: ({ agent_id }) => agent_id,
    decisions: ({ decisions }) => decisions,
    losses: ({ losses }) => losses,
    confirmed_losses: ({ confirmed_losses }) => confirmed_losses,
    stated_losses: ({ stated_losses }) => stated_losses,
    expected_losses: ({ expected_losses }) => expected_losses,
    brier: ({ brier }) => brier,
  },
};

/** How often agents that were confident were right. */
export function Reliability({ test: { agents, learned_at } }: { test: LiabilityBacktest }) {
  return (
    <>
      <Text mt="lg" mb="xs" size="sm" maw={720}>
        Stated confidence against outcomes
        {learned_at !== null && (
          <>
            {' '}
            as of <Moment time={learned_at} />
          </>
        )}
        . An agent whose losses are above what its confidence implies is overconfident. The Brier
        score is the mean squared error of the confidence: 0 is best. Confirmed losses are those of
        now: the next nightly run compares what was confirmed since, except for losses of denied
        decisions.
      </Text>
      <ShortTable label="Reliability of confidence" minWidth={640} csv={CSV} rows={agents}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Agent</Table.Th>
            <Table.Th ta="end">Resolved decisions</Table.Th>
            <Table.Th ta="end">Losses</Table.Th>
            <Table.Th ta="end">Confirmed now</Table.Th>
            <Table.Th ta="end">Implied by confidence</Table.Th>
            <Table.Th ta="end">Expected by the model</Table.Th>
            <Table.Th ta="end">Brier score</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {agents.map((row) => (
            <Table.Tr key={row.agent_id}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => (
                    <Link to="/agents/$agentId" params={{ agentId: row.agent_id }} {...props} />
                  )}
                >
                  {row.agent_id}
                </Anchor>
              </Table.Td>
              <Table.Td ta="end">{formatCount(Math.round(row.decisions))}</Table.Td>
              <Table.Td ta="end">{formatDecimal(row.losses, 1)}</Table.Td>
              <Table.Td ta="end">{formatCount(row.confirmed_losses)}</Table.Td>
              <Table.Td ta="end">{formatDecimal(row.stated_losses, 1)}</Table.Td>
              <Table.Td ta="end">{formatDecimal(row.expected_losses, 1)}</Table.Td>
              <Table.Td ta="end">{formatDecimal(row.brier, 3)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
    </>
  );
}
