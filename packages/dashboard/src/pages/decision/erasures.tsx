import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { loadWith } from '../../components/data-table/pages.ts';
import {
  ERASURE,
  ERASURES_CSV,
  erasedFieldsOf,
  erasureReasonOf,
} from '../../components/erasures-csv.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Moment } from '../../components/moment.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { ShortTable } from '../../components/short-table.tsx';

/** What was erased, by whom and why. */
export function Erasures({ decision }: { decision: DecisionInDetail }) {
  const ledger = useLedger();
  const { decision_id: subject, erased_fields } = decision;
  const query = { subject, type: ERASURE };
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', subject, 'erasures'],
    queryFn: async ({ signal }) => {
      return (await ledger.operations.activity(query, { signal }).page()).activity;
    },
    enabled: erased_fields !== undefined,
  });
  if (erased_fields === undefined) return <Text c="dimmed">Nothing was erased.</Text>;
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  return (
    <ShortTable
      label="Erasures"
      minWidth={520}
      csv={ERASURES_CSV}
      rows={loadWith(
        (wanted, options) => ledger.operations.activity({ ...query, ...wanted }, options),
        ({ activity }) => activity,
      )}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Erased</Table.Th>
          <Table.Th>Fields</Table.Th>
          <Table.Th>By</Table.Th>
          <Table.Th>Reason</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.map((entry) => (
          <Table.Tr key={entry.activity_id}>
            <Table.Td>
              <Moment time={entry.created_at} />
            </Table.Td>
            <Table.Td>{erasedFieldsOf(entry)}</Table.Td>
            <Table.Td>{entry.actor}</Table.Td>
            <Table.Td>{erasureReasonOf(entry)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}
