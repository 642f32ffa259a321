import type { Key } from '@decision-ledger/client/api/key';
import { Badge, Group, Table, Text } from '@mantine/core';
import { now } from '../../../app/clock.ts';
import { useLedger, useMe } from '../../../app/session/context.tsx';
import { loadWith } from '../../../components/data-table/pages.ts';
import type { CsvTable } from '../../../components/download.tsx';
import { ShortTable } from '../../../components/short-table.tsx';
import { Moment } from '../../../components/values.tsx';
import { type Fresh, RevokeButton, RotateButton } from './key-buttons.tsx';
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
  const { name, key_id, permissions, created_at, expires_at, revoked_at } = key;
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
      <Table.Td>{permissions.join(', ')}</Table.Td>
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
