import type { DecisionInDetail } from '@decision-ledger/client/api/decision';
import { Button, Group, Modal, Table, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import {
  ERASURE,
  ERASURES_CSV,
  erasedFieldsOf,
  erasureReasonOf,
} from '../../components/csv-tables.ts';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate } from '../../components/page.tsx';
import { loadWith, ShortTable } from '../../components/rows.tsx';
import { Moment } from '../../components/values.tsx';
import { type Field, FieldChoice, fieldsOf } from './fields.tsx';

/** Erases payload fields for good, for those who may. */
export function EraseButton({ decision }: { decision: DecisionInDetail }) {
  const [isOpen, dialog] = useDisclosure(false);
  const present = fieldsOf(decision);
  if (present.length === 0) return null;
  return (
    <Gate permission="erase">
      <Button variant="default" size="xs" onClick={dialog.open}>
        Erase…
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title="Erase fields of this decision">
        <EraseForm id={decision.decision_id} present={present} onDone={dialog.close} />
      </Modal>
    </Gate>
  );
}

interface EraseFormProps {
  readonly id: string;
  readonly present: readonly Field[];
  readonly onDone: () => void;
}

function EraseForm({ id, present, onDone }: EraseFormProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [fields, setFields] = useState<readonly Field[]>([]);
  const [reason, setReason] = useState('');
  const erasing = useMutation({
    mutationFn: () => ledger.decisions.erase(id, { fields: [...fields], reason }),
    onSuccess: async () => {
      onDone();
      notifications.show({ message: `Erased: ${fields.join(', ')}` });
      await queries.invalidateQueries({ queryKey: ['decision', id] });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    erasing.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Text size="sm" mb="sm">
        The values are removed for good, also from exports that are made later. The chain stays
        valid and proves that something was recorded.
      </Text>
      <FieldChoice label="Fields" offered={present} chosen={fields} onChange={setFields} />
      <Textarea
        mt="sm"
        label="Reason"
        description="Kept for good and shown in evidence: do not repeat what is erased."
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        required
      />
      {erasing.error !== null && <ErrorPanel error={erasing.error} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          color="red.8"
          type="submit"
          disabled={fields.length === 0}
          loading={erasing.isPending}
        >
          Erase for good
        </Button>
      </Group>
    </form>
  );
}

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
