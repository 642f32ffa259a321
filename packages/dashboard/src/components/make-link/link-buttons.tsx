import type { Link, LinkBody } from '@decision-ledger/client/api/link';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel } from '../load-states.tsx';
import { Gate } from '../page.tsx';
import { Undo } from '../undo.tsx';
import { LinkForm } from './link-form.tsx';
import { refreshLinks } from './links-of-movement.ts';
import { type Subject, WANTED } from './record-picker.tsx';

interface LinkButtonProps {
  readonly subject: Subject;
  /** The id of a link that was just deleted. */
  readonly deleted: string | undefined;
}

/** Opens the form that links a record by hand, for those who may. */
export function LinkButton({ subject, deleted }: LinkButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const [made, setMade] = useState<string | null>(null);
  const { name } = WANTED[subject.kind];
  const onDone = (linkId?: string) => {
    dialog.close();
    if (linkId !== undefined) setMade(linkId);
  };
  return (
    <Gate permission="ingest">
      <Button variant="default" size="xs" onClick={dialog.open} data-screen-only>
        Link to {name === 'event' ? 'an event' : 'a decision'}…
      </Button>
      {made !== null && made !== deleted && (
        <UndoLink key={made} id={made} onDone={() => setMade(null)} />
      )}
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        // What takes the new link back has the focus then.
        returnFocus={made === null}
        size="lg"
        title={`Link to ${name === 'event' ? 'an event' : 'a decision'}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <LinkForm subject={subject} onDone={onDone} />
      </Modal>
    </Gate>
  );
}

/** Takes back a link that was just made. */
function UndoLink({ id, onDone }: { id: string; onDone: () => void }) {
  const deleting = useDeleting(id, onDone);
  return (
    <>
      <Undo isPending={deleting.isPending} onUndo={() => deleting.mutate()}>
        Linked.
      </Undo>
      {deleting.error !== null && <ErrorPanel error={deleting.error} />}
    </>
  );
}

function useDeleting(id: string, onDone: () => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => ledger.links.delete(id),
    onSuccess: async () => {
      onDone();
      notifications.show({ message: 'The link is deleted' });
      await refreshLinks(queries);
    },
  });
}

interface DeleteProps {
  readonly link: Link;
  readonly onDeleted: (link: Link) => void;
}

/** Deletes a link after a question, for those who may. It takes back what made the link, too. */
export function DeleteLinkButton({ link, onDeleted }: DeleteProps) {
  const [isOpen, dialog] = useDisclosure(false);
  const deleting = useDeleting(link.id, () => {
    dialog.close();
    onDeleted(link);
  });
  return (
    <Gate permission="review">
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        data-screen-only
        aria-label={`Delete the ${link.link_type} link`}
        onClick={dialog.open}
      >
        Delete…
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Delete this link?"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Text size="sm">
          It stops counting at once. The activity and evidence show that it was made and deleted.
        </Text>
        {deleting.error !== null && <ErrorPanel error={deleting.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={dialog.close}>
            Keep it
          </Button>
          <Button color="red.8" loading={deleting.isPending} onClick={() => deleting.mutate()}>
            Delete the link
          </Button>
        </Group>
      </Modal>
    </Gate>
  );
}

interface DeletedProps {
  readonly link: Link;
  readonly onDone: () => void;
}

/** Makes a link again that was just deleted. A confirmed suggestion is suggested again by itself. */
export function DeletedLink({ link, onDone }: DeletedProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: () => ledger.links.create(bodyOf(link)),
    onSuccess: async () => {
      onDone();
      await refreshLinks(queries);
    },
  });
  if (link.status !== 'CONFIRMED') return null;
  return (
    <Gate permission="ingest">
      <Undo isPending={making.isPending} onUndo={() => making.mutate()}>
        The link is deleted.
      </Undo>
      {making.error !== null && <ErrorPanel error={making.error} />}
    </Gate>
  );
}

function bodyOf(link: Link): LinkBody {
  const { decision_id, financial_event_id, correlation_strength, link_type } = link;
  const { reversal, attribution_method: method, notes } = link;
  return {
    ...{ decision_id, financial_event_id, correlation_strength, link_type },
    attribution_method: method === 'direct' ? 'direct' : 'manual',
    ...(reversal && { reversal }),
    ...(notes !== undefined && { notes }),
  };
}
