import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Gate } from '../gate.tsx';
import { LinkForm } from './link-form.tsx';
import { type Subject, WANTED } from './subject.ts';

/** Opens the form that links a record by hand, for those who may. */
export function LinkButton({ subject }: { subject: Subject }) {
  const [isOpen, dialog] = useDisclosure(false);
  const { name } = WANTED[subject.kind];
  return (
    <Gate permission="ingest">
      <Button variant="default" size="xs" onClick={dialog.open} data-screen-only>
        Link to {name === 'event' ? 'an event' : 'a decision'}…
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        size="lg"
        title={`Link to ${name === 'event' ? 'an event' : 'a decision'}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <LinkForm subject={subject} onDone={dialog.close} />
      </Modal>
    </Gate>
  );
}
