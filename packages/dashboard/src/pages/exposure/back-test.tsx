import type { LiabilityBacktest } from '@decision-ledger/client/api/liability-model';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Facts } from '../../components/facts.tsx';
import { FORECASTS_CSV } from '../../components/forecasts-csv.ts';
import { Money } from '../../components/money.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { formatCount, formatFactor, formatShare } from '../../format/numbers.ts';
import { outcomeOf, VERDICTS } from './back-test-words.ts';
import { Reliability } from './reliability.tsx';

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
