import type { BudgetState } from '@decision-ledger/client/api/budget';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';
import { budgetsOf, wordsOf } from '../../components/budgets.ts';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { Money } from '../../components/values.tsx';

const CSV: CsvTable<BudgetState> = {
  name: 'budgets',
  columns: {
    id: ({ id }) => id,
    measure: ({ measure }) => measure,
    agent_id: ({ agent_id }) => agent_id ?? '',
    action_type: ({ action_type }) => action_type ?? '',
    period: ({ period }) => period ?? '',
    amount: ({ amount }) => ({ decimal: amount }),
    used: ({ used }) => (used === null ? '' : { decimal: used }),
    status: ({ status }) => status,
  },
};

/** How far each budget of the settings is used. */
export function Budgets() {
  const { data, error, refetch } = useQuery(budgetsOf(useLedger()));
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  if (data.budgets.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        There is no budget. An administrator sets them in the settings, under thresholds and alerts.
      </Text>
    );
  }
  return (
    <ShortTable label="Budgets" minWidth={560} csv={CSV} rows={data.budgets}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Budget</Table.Th>
          <Table.Th>Limits</Table.Th>
          <Table.Th ta="end">Used</Table.Th>
          <Table.Th ta="end">Of</Table.Th>
          <Table.Th>State</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.budgets.map((budget) => (
          <Row key={budget.id} budget={budget} currency={data.currency} />
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}

function Row({ budget, currency }: { budget: BudgetState; currency: string }) {
  const { id, used, amount } = budget;
  return (
    <Table.Tr>
      <Table.Td>{id}</Table.Td>
      <Table.Td>{wordsOf(budget)}</Table.Td>
      <Table.Td ta="end">
        {used === null ? 'not known' : <Money amount={used} currency={currency} />}
      </Table.Td>
      <Table.Td ta="end">
        <Money amount={amount} currency={currency} />
      </Table.Td>
      <Table.Td>{stateOf(budget)}</Table.Td>
    </Table.Tr>
  );
}

function stateOf({ status, reached_percent }: BudgetState): string {
  if (status === 'exceeded') return 'Exceeded';
  if (status === 'unknown') return 'Not known: some amounts have no exchange rate';
  return reached_percent === 0 ? 'Within' : `${reached_percent} % reached`;
}
