import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLedger } from '../../app/session/context.tsx';
import { FORECASTS_CSV } from '../../components/csv-tables.ts';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Facts, Moment, Money } from '../../components/values.tsx';
import { formatCount, formatDecimal, formatFactor, formatShare } from '../../format/numbers.ts';
import { outcomeOf, VERDICTS } from './figures.ts';

/** Earlier forecasts beside what happened since. */
export function BackTest() {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['figures', 'back-test'],
    queryFn: ({ signal }) => ledger.analytics.liabilityBacktest({ signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={3} />;
  return (
    <>
      {data.months.length === 0 ? (
        <Text c="dimmed" maw={720}>
          No forecast is stored yet. The first nightly run of each month stores what the decisions
          of the month before are expected to cost, and never changes it. This table then compares
          it with the losses.
        </Text>
      ) : (
        <Months test={data} />
      )}
      {data.agents.length > 0 && <Reliability test={data} />}
    </>
  );
}

function Months({ test }: { test: LiabilityBacktest }) {
  const { months, periods, exceptions, coverage, kupiec, christoffersen, verdict } = test;
  return (
    <>
      <Text mb="sm">{VERDICTS[verdict]}</Text>
      <Facts
        facts={[
          ['Compared months', formatCount(periods)],
          ['Losses above the value at risk', formatCount(exceptions)],
          ['Losses within the interval', coverage === null ? '–' : formatShare(coverage, 1)],
          [
            'Frequency of exceptions (Kupiec), p',
            kupiec === null ? '–' : formatFactor(kupiec.p_value),
          ],
          [
            'Independence (Christoffersen), p',
            christoffersen === null ? '–' : formatFactor(christoffersen.p_value),
          ],
        ]}
      />
      <ShortTable
        label="Forecasts and losses by month"
        minWidth={820}
        csv={FORECASTS_CSV}
        rows={months}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Month</Table.Th>
            <Table.Th ta="end">Decisions</Table.Th>
            <Table.Th ta="end">Expected</Table.Th>
            <Table.Th ta="end">9 in 10: from</Table.Th>
            <Table.Th ta="end">to</Table.Th>
            <Table.Th ta="end">Value at risk</Table.Th>
            <Table.Th ta="end">Lost</Table.Th>
            <Table.Th>Result</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...months].reverse().map((month) => (
            <Month key={month.month} month={month} />
          ))}
        </Table.Tbody>
      </ShortTable>
    </>
  );
}

function Month({ month }: { month: LiabilityBacktest['months'][number] }) {
  const { currency } = month;
  const amounts = [month.expected, month.low90, month.high90, month.var95, month.realised];
  const names = ['expected', 'low', 'high', 'var', 'realised'];
  return (
    <Table.Tr>
      <Table.Td>{month.month}</Table.Td>
      <Table.Td ta="end">{formatCount(month.decisions)}</Table.Td>
      {amounts.map((amount, at) => (
        <Table.Td key={names[at]} ta="end">
          {amount === null ? '–' : <Money amount={amount} currency={currency} />}
        </Table.Td>
      ))}
      <Table.Td>{outcomeOf(month)}</Table.Td>
    </Table.Tr>
  );
}

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
function Reliability({ test: { agents, learned_at } }: { test: LiabilityBacktest }) {
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
