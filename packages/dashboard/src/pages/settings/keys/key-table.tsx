import type { IssuedKey, Key } from '@decision-ledger/client/api/access';
import { Badge, Button, Group, Modal, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { now } from '../../../app/clock.ts';
import { useLedger, useMe } from '../../../app/session/context.tsx';
import { ErrorPanel } from '../../../components/load-states.tsx';
import { type CsvTable, loadWith, ShortTable } from '../../../components/rows.tsx';
import { Moment } from '../../../components/values.tsx';
import { isActive } from './permissions.ts';

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onRotated: (fresh: Fresh) => void;
}

const CSV: CsvTable<Key> = {
  name: 'keys',
  columns: {
    key_id: ({ key_id }) => key_id,
    name: ({ name }) => name,
    mode: ({ mode }) => mode,
    permissions: ({ permissions }) => permissions.join(', '),
    agents: ({ agents }) => agents?.join(', ') ?? null,
    created_at: ({ created_at }) => created_at,
    expires_at: ({ expires_at }) => expires_at,
    revoked_at: ({ revoked_at }) => revoked_at,
  },
};

export function KeyTable({ keys, onRotated }: KeyTableProps) {
  const ledger = useLedger();
  return (
    <ShortTable
      label="Keys"
      minWidth={760}
      csv={CSV}
      rows={loadWith(
        (wanted, options) => ledger.keys.list(wanted, options),
        (page) => page.keys,
      )}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Permissions</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th data-screen-only />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Row key={key.key_id} of={key} onRotated={onRotated} />
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}

function Row({ of: key, onRotated }: { of: Key; onRotated: (fresh: Fresh) => void }) {
  const isOwn = useMe()?.key.key_id === key.key_id;
  const { name, key_id, permissions, agents, created_at, expires_at, revoked_at } = key;
  return (
    <Table.Tr>
      <Table.Td>
        {name}{' '}
        {isOwn && (
          <Badge size="sm" variant="light" tt="none" fw={500}>
            Yours
          </Badge>
        )}
        <Text size="xs" c="dimmed" ff="monospace">
          {key_id}
        </Text>
      </Table.Td>
      <Table.Td>
        {permissions.join(', ')}
        {agents !== null && (
          <Text size="xs" c="dimmed">
            {agents.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Moment time={created_at} style="day" />
      </Table.Td>
      <Table.Td>
        {revoked_at !== null ? (
          <>
            Revoked <Moment time={revoked_at} />
          </>
        ) : expires_at === null ? (
          'Active'
        ) : (
          <>
            {isActive(key, now()) ? 'Active until' : 'Expired'} <Moment time={expires_at} />
          </>
        )}
      </Table.Td>
      <Table.Td data-screen-only>
        {isActive(key, now()) && (
          <Group gap="xs" wrap="nowrap" justify="flex-end">
            <RotateButton target={key} onRotated={onRotated} />
            <RevokeButton target={key} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

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
function RotateButton({ target, onRotated }: RotateButtonProps) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const held = useMe()?.permissions ?? [];
  const { name, permissions, agents, expires_at } = target;
  const rotating = useMutation({
    mutationFn: () =>
      ledger.keys.issue({
        ...{ name, permissions },
        ...(agents !== null && { agents }),
        ...(expires_at !== null && { expires_at }),
      }),
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
