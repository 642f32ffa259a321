import type { Key } from '@decision-ledger/client/api/key';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLedger, useMe } from '../../../app/session/context.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';

interface RevokeButtonProps {
  readonly target: Key;
  readonly onRevoked?: () => void;
}

export function RevokeButton({ target, onRevoked }: RevokeButtonProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const isOwn = useMe()?.key.key_id === target.key_id;
  const [isOpen, dialog] = useDisclosure(false);
  const revoking = useMutation({
    mutationFn: () => ledger.keys.revoke(target.key_id),
    onSuccess: async () => {
      dialog.close();
      notifications.show({ message: `Revoked: ${target.name}` });
      onRevoked?.();
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Revoke ${target.name}`}
        onClick={dialog.open}
      >
        Revoke…
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={`Revoke “${target.name}”?`}>
        <Text size="sm">
          Programs with this key are refused at once, and sessions that it opened end.
          {isOwn && ' It is your own key: you are signed out.'} This cannot be undone.
        </Text>
        {revoking.error !== null && <ErrorPanel error={revoking.error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={dialog.close}>
            Cancel
          </Button>
          <Button color="red.8" loading={revoking.isPending} onClick={() => revoking.mutate()}>
            Revoke the key
          </Button>
        </Group>
      </Modal>
    </>
  );
}
