import type { RunningCosts } from '@decision-ledger/client/api/running-cost';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Money } from '../../components/values.tsx';
import { formatRange, monthRange } from '../../format/dates.ts';
import { formatQuantity } from '../../format/numbers.ts';

type Figures = Omit<RunningCosts['by_month'][number], 'month'>;
type Month = RunningCosts['by_month'][number];

const CSV: CsvTable<Month> = {
  name: 'running-cost',
  columns: {
    month: ({ month }) => month,
    decisions: ({ decisions }) => String(decisions),
    costed: ({ costed }) => String(costed),
    cost: ({ cost }) => ({ decimal: cost }),
    net: ({ net }) => ({ decimal: net }),
    net_after_cost: ({ net_after_cost }) => ({ decimal: net_after_cost }),
  },
};

interface RunningCostProps {
  readonly query: { readonly agent_id: string; readonly start?: string; readonly end?: string };
}

/** What the decisions cost to make: a memo beside the statement. */
export function RunningCost({ query }: RunningCostProps) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['figures', 'running-cost', query],
    queryFn: ({ signal }) => ledger.analytics.runningCost(query, { signal }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  if (data.costed + data.unpriced + data.unconverted === 0) {
    return (
      <Text size="sm" c="dimmed">
        No decision states what it cost, or which model took how many tokens.
      </Text>
    );
  }
  return (
    <>
      <ShortTable label="Running cost" minWidth={620} csv={CSV} rows={data.by_month}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Month</Table.Th>
            <Table.Th ta="end">Running cost</Table.Th>
            <Table.Th ta="end">Net</Table.Th>
            <Table.Th ta="end">Net after running cost</Table.Th>
            <Table.Th ta="end">Cost of a decision</Table.Th>
            <Table.Th ta="end">Net of a decision</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.by_month.map(({ month, ...figures }) => (
            <Row
              key={month}
              name={formatRange(monthRange(month))}
              figures={figures}
              currency={data.currency}
            />
          ))}
          <Row name="All" figures={data} currency={data.currency} isTotal />
        </Table.Tbody>
      </ShortTable>
      <Text size="sm" c="dimmed">
        A memo: no other figure has it. Known of {formatQuantity(data.costed, 'decision')}
        {data.unpriced > 0 &&
          `; ${formatQuantity(data.unpriced, 'decision')} without a price in the settings`}
        {data.unconverted > 0 &&
          `; ${formatQuantity(data.unconverted, 'decision')} without an exchange rate`}
        .
      </Text>
    </>
  );
}

interface RowProps {
  readonly name: string;
  readonly figures: Figures;
  readonly currency: string;
  readonly isTotal?: boolean;
}

function Row({ name, figures, currency, isTotal = false }: RowProps) {
  const { cost, net, net_after_cost, cost_per_decision, net_per_decision } = figures;
  return (
    <Table.Tr fw={isTotal ? 600 : undefined}>
      <Table.Td>{name}</Table.Td>
      {[cost, net, net_after_cost].map((amount, index) => (
        <Table.Td key={FIGURES[index]} ta="end">
          <Money amount={amount} currency={currency} />
        </Table.Td>
      ))}
      <Table.Td ta="end">{cost_per_decision ?? '–'}</Table.Td>
      <Table.Td ta="end">{net_per_decision ?? '–'}</Table.Td>
    </Table.Tr>
  );
}

const FIGURES = ['cost', 'net', 'after'];
