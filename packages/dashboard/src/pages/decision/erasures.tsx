import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';

/** What was erased, by whom and why. */
export function Erasures({ decision }: { decision: DecisionInDetail }) {
  const ledger = useLedger();
  const { decision_id: subject, erased_fields } = decision;
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', subject, 'erasures'],
    queryFn: async ({ signal }) => {
      const query = { subject, type: 'decision.field_erased' };
      return (await ledger.operations.activity(query, { signal }).page()).activity;
    },
    enabled: erased_fields !== undefined,
  });
  if (erased_fields === undefined) return <Text c="dimmed">Nothing was erased.</Text>;
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Erased</Table.Th>
            <Table.Th>Fields</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>Reason</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map(({ activity_id, created_at, actor, data: change }) => (
            <Table.Tr key={activity_id}>
              <Table.Td>
                <Moment time={created_at} />
              </Table.Td>
              <Table.Td>{fieldsOf(change?.fields)}</Table.Td>
              <Table.Td>{actor}</Table.Td>
              <Table.Td>{String(change?.reason ?? '')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function fieldsOf(fields: unknown): string {
  return Array.isArray(fields) ? fields.join(', ') : '';
}
