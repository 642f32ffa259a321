import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';
import { FORECASTS_CSV } from '../../components/csv-tables.ts';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Section } from '../../components/page.tsx';
import { ShortTable } from '../../components/rows.tsx';
import { Money } from '../../components/values.tsx';
import { formatRange, monthRange } from '../../format/dates.ts';
import { formatCount, formatShare } from '../../format/numbers.ts';
import { Reliability } from './reliability.tsx';

/** Whether earlier forecasts and the agent's own confidence came true. */
export function Backtest({ agentId }: { agentId: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['figures', 'backtest'],
    queryFn: ({ signal }) => ledger.analytics.liabilityBacktest({ signal }),
  });
  const instead =
    error !== null ? (
      <ErrorPanel error={error} onRetry={() => void refetch()} />
    ) : data === undefined ? (
      <LinesSkeleton lines={4} />
    ) : null;
  return (
    <>
      <Section title="Reliability of the stated confidence" ownScope="All time">
        {instead ?? (
          <Reliability
            agent={data?.agents.find((known) => known.agent_id === agentId)}
            learnedAt={data?.learned_at ?? null}
          />
        )}
      </Section>
      <Section title="Back-test of the exposure" ownScope="All agents, all time">
        {instead ?? (data !== undefined && <Months backtest={data} />)}
      </Section>
    </>
  );
}

const VERDICTS: Readonly<Record<LiabilityBacktest['verdict'], string>> = {
  consistent: 'Losses agree with the forecasts.',
  too_low: 'Losses exceeded the forecasts too often: they are too low.',
  too_high: 'Losses exceeded the forecasts too rarely: they are too high.',
  clustered: 'Months with high losses come in a row, which the forecasts do not expect.',
  too_few_periods: 'A verdict needs 24 compared months.',
};
const STATES = { open: 'Open', compared: 'Compared', changed: 'Changed since' } as const;
const SHOWN = 12;

function Months({ backtest }: { backtest: LiabilityBacktest }) {
  const { months, periods, exceptions, coverage, verdict } = backtest;
  if (months.length === 0) {
    return (
      <Text c="dimmed">
        The first night of each month stores what the decisions of the month before are expected to
        cost, and losses are compared with it from then on. The first forecast is not made yet.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm" mb="sm">
        {VERDICTS[verdict]} {formatCount(periods)} months are compared, {formatCount(exceptions)}{' '}
        exceeded their limit
        {coverage === null ? '' : `, ${formatShare(coverage)} lay within their interval`}.
      </Text>
      <ShortTable
        label="Forecasts and losses by month"
        minWidth={620}
        csv={FORECASTS_CSV}
        rows={months}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Month</Table.Th>
            <Table.Th ta="end">Expected</Table.Th>
            <Table.Th ta="end">9 in 10</Table.Th>
            <Table.Th ta="end">Lost so far</Table.Th>
            <Table.Th>State</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months.slice(-SHOWN).map((month) => (
            <Month key={month.month} forecast={month} />
          ))}
        </Table.Tbody>
      </ShortTable>
    </>
  );
}

function Month({ forecast }: { forecast: LiabilityBacktest['months'][number] }) {
  const { month, expected, low90, high90, realised, currency, status, is_exception } = forecast;
  const money = (amount: string) => <Money amount={amount} currency={currency} />;
  return (
    <Table.Tr>
      <Table.Td>{formatRange(monthRange(month))}</Table.Td>
      <Table.Td ta="end">{money(expected)}</Table.Td>
      <Table.Td ta="end">
        {money(low90)} to {money(high90)}
      </Table.Td>
      <Table.Td ta="end">{realised === null ? '–' : money(realised)}</Table.Td>
      <Table.Td>{is_exception === true ? 'Above the limit' : STATES[status]}</Table.Td>
    </Table.Tr>
  );
}
