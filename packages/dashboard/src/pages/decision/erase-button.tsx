import type { DecisionInDetail } from '@decision-ledger/client/api/decision-view';
import { Button, Checkbox, Group, Modal, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Gate } from '../../components/gate.tsx';
import { FIELDS, type Field } from './fields.ts';

/** Erases payload fields for good, for those who may. */
export function EraseButton({ decision }: { decision: DecisionInDetail }) {
  const [isOpen, dialog] = useDisclosure(false);
  const present = FIELDS.filter((field) => decision[field] !== undefined);
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
      <Checkbox.Group
        label="Fields"
        value={[...fields]}
        onChange={(names) => setFields(present.filter((field) => names.includes(field)))}
      >
        <Group mt={6}>
          {present.map((field) => (
            <Checkbox key={field} value={field} label={field} />
          ))}
        </Group>
      </Checkbox.Group>
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
