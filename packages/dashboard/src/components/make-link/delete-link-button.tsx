import type { Link } from '@decision-ledger/client/api/link';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../error-panel.tsx';
import { Gate } from '../gate.tsx';

/** Deletes a link after a question, for those who may. It takes back what made the link, too. */
export function DeleteLinkButton({ link }: { link: Link }) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [isOpen, dialog] = useDisclosure(false);
  const deleting = useMutation({
    mutationFn: () => ledger.links.delete(link.id),
    onSuccess: async () => {
      dialog.close();
      notifications.show({ message: 'The link is deleted' });
      const stale = ['figures', 'reviews', 'decision', 'event'];
      await Promise.all(stale.map((name) => queries.invalidateQueries({ queryKey: [name] })));
    },
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
