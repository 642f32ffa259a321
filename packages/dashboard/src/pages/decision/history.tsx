import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { Money } from '../../components/money.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { formatCount, formatShare } from '../../format/numbers.ts';

const SHOWN = 20;

/** How the estimate changed, newest first. */
export function History({ id }: { id: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', id, 'estimates'],
    queryFn: ({ signal }) => ledger.decisions.estimates(id, { limit: SHOWN }, { signal }).page(),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Estimated</Table.Th>
            <Table.Th ta="end">Expected cost</Table.Th>
            <Table.Th ta="end">Probability of a loss</Table.Th>
            <Table.Th ta="end">Realised</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.estimates.map(({ revision, estimated_at, expected, currency, parts }) => (
            <Table.Tr key={revision}>
              <Table.Td>
                <Moment time={estimated_at} />
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={expected} currency={currency} />
              </Table.Td>
              <Table.Td ta="end">{formatShare(parts.loss_probability, 2)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={parts.realised} currency={parts.realised_currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {data.next_cursor !== null && (
        <Text c="dimmed" size="sm" mt="xs">
          The newest {formatCount(SHOWN)} estimates are shown.
        </Text>
      )}
    </Table.ScrollContainer>
  );
}
