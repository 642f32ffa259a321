import type { Session } from '@decision-ledger/client/api/access';
import { Badge, Button, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { now } from '../../app/clock.ts';
import { useLedger, useSession } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { type CsvTable, loadWith, ShortTable } from '../../components/rows.tsx';
import { Moment } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
import { isActive } from './keys/permissions.ts';
import classes from './settings.module.css';

const SHOWN = 100;

const CSV: CsvTable<Session> = {
  name: 'sessions',
  columns: {
    session_id: ({ session_id }) => session_id,
    name: ({ name }) => name,
    key_id: ({ key_id }) => key_id,
    mode: ({ mode }) => mode,
    permissions: ({ permissions }) => permissions.join(', '),
    created_at: ({ created_at }) => created_at,
    expires_at: ({ expires_at }) => expires_at,
    revoked_at: ({ revoked_at }) => revoked_at,
  },
};

/** Who is signed in. */
export function Sessions() {
  const ledger = useLedger();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => ledger.sessions.list({ limit: SHOWN }, { signal }).page(),
  });
  const revoking = useMutation({
    mutationFn: (id: string) => ledger.sessions.revoke(id),
    onSuccess: async ({ name }) => {
      notifications.show({ message: `The session of ${name} has ended` });
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <div className={classes.wide}>
      <Text size="sm" maw={720}>
        A sign-in opens a session with the permissions of its key, for eight hours. What a person
        changes is recorded under the name that they gave.
      </Text>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {revoking.error !== null && <ErrorPanel error={revoking.error} />}
      {data === undefined && error === null && <LinesSkeleton lines={4} />}
      {data !== undefined && (
        <ShortTable
          label="Sessions"
          minWidth={680}
          csv={CSV}
          rows={loadWith(
            (wanted, options) => ledger.sessions.list(wanted, options),
            ({ sessions }) => sessions,
          )}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Person</Table.Th>
              <Table.Th>Permissions</Table.Th>
              <Table.Th>Signed in</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th data-screen-only />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.sessions.map((session) => (
              <Row
                key={session.session_id}
                session={session}
                isBusy={revoking.isPending}
                onRevoke={() => revoking.mutate(session.session_id)}
              />
            ))}
          </Table.Tbody>
        </ShortTable>
      )}
      {data !== undefined && data.next_cursor !== null && (
        <Text size="sm" c="dimmed">
          The newest {formatCount(SHOWN)} sessions are shown.
        </Text>
      )}
    </div>
  );
}

interface RowProps {
  readonly session: Session;
  readonly isBusy: boolean;
  readonly onRevoke: () => void;
}

function Row({ session, isBusy, onRevoke }: RowProps) {
  const isOwn = useSession().sessionId === session.session_id;
  const { name, key_id, permissions, created_at, expires_at, revoked_at } = session;
  const isOpen = isActive(session, now());
  return (
    <Table.Tr>
      <Table.Td>
        {name}{' '}
        {isOwn && (
          <Badge size="sm" variant="light" tt="none" fw={500}>
            This one
          </Badge>
        )}
        <Text size="xs" c="dimmed" ff="monospace">
          {key_id}
        </Text>
      </Table.Td>
      <Table.Td>{permissions.join(', ')}</Table.Td>
      <Table.Td>
        <Moment time={created_at} />
      </Table.Td>
      <Table.Td>
        {revoked_at !== null ? 'Ended' : isOpen ? 'Open until' : 'Expired'}{' '}
        <Moment time={revoked_at ?? expires_at} />
      </Table.Td>
      <Table.Td data-screen-only ta="end">
        {isOpen && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`End the session of ${name}`}
            disabled={isBusy}
            onClick={onRevoke}
          >
            {isOwn ? 'Sign out' : 'End'}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
