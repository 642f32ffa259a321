import type { IssuedKey, Key } from '@decision-ledger/client/api/key';
import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLedger, useMe } from '../../../app/session/context.tsx';
import { ErrorPanel } from '../../../components/load-states.tsx';

/** A key that was just issued, in place of an old one if it was rotated. */
export interface Fresh {
  readonly issued: IssuedKey;
  readonly replaced: Key | null;
}

interface RotateButtonProps {
  readonly target: Key;
  readonly onRotated: (fresh: Fresh) => void;
}

/** Issues a key with the same name and permissions. The former one stays until it is revoked. */
export function RotateButton({ target, onRotated }: RotateButtonProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const held = useMe()?.permissions ?? [];
  const { name, permissions, expires_at } = target;
  const rotating = useMutation({
    mutationFn: () =>
      ledger.keys.issue({ name, permissions, ...(expires_at !== null && { expires_at }) }),
    gcTime: 0,
    onSuccess: async (issued) => {
      onRotated({ issued, replaced: target });
      window.scrollTo({ top: 0 });
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  if (!permissions.every((permission) => held.includes(permission))) return null;
  return (
    <div>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Rotate ${name}`}
        loading={rotating.isPending}
        onClick={() => rotating.mutate()}
      >
        Rotate
      </Button>
      {rotating.error !== null && <ErrorPanel error={rotating.error} />}
    </div>
  );
}

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
