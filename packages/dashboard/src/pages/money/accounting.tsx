import type { ConnectionState } from '@decision-ledger/client/api/operations';
import { Button, Group, Modal, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { type CsvTable, ShortTable } from '../../components/rows.tsx';
import { SaveError, settingsOf, useSaveConnections } from '../../components/saving-settings.tsx';
import { Moment } from '../../components/values.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { KIND_NAMES } from './connection-kinds.ts';
import classes from './connections.module.css';
import { Withheld } from './withheld.tsx';

const KEY = ['connections'] as const;
/** How often the state is read while a poll runs, and otherwise. */
const BUSY_MS = 1500;
const IDLE_MS = 30_000;

/** The accounting systems that are polled, and how the last poll went. They are added and changed here. */
export function Accounting() {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <Connections />
      <Button size="xs" mt="sm" onClick={dialog.open}>
        Add a connection…
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Add a connection"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ConnectionForm id={null} onDone={dialog.close} />
      </Modal>
    </>
  );
}

/** Whether a poll is on its way: a new connection is polled soon after it was saved. */
function isAwaited({ is_poll_pending, polled_at, problem }: ConnectionState): boolean {
  return is_poll_pending || (polled_at === null && problem === null);
}

const CSV: CsvTable<ConnectionState> = {
  name: 'connections',
  columns: {
    id: ({ id }) => id,
    kind: ({ kind }) => kind,
    polled_at: ({ polled_at }) => polled_at,
    is_poll_pending: ({ is_poll_pending }) => is_poll_pending,
    problem: ({ problem }) => problem,
    withheld_deletions: ({ withheld }) => withheld?.deleted,
    withheld_changes: ({ withheld }) => withheld?.changed,
  },
};

function Connections() {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await ledger.operations.accounting({ signal })).connections,
    refetchInterval: ({ state }) => (state.data?.some(isAwaited) === true ? BUSY_MS : IDLE_MS),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={2} />;
  if (data.length === 0) return <NoConnection />;
  return (
    <ShortTable label="Accounting systems" minWidth={560} csv={CSV} rows={data}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Connection</Table.Th>
          <Table.Th>System</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Last poll</Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.map((connection) => (
          <Row key={connection.id} connection={connection} />
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}

function Row({ connection }: { connection: ConnectionState }) {
  const { id, kind, polled_at, problem, is_poll_pending } = connection;
  const ledger = useLedger();
  const queries = useQueryClient();
  const polling = useMutation({
    mutationFn: () => ledger.operations.pollAccounting(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Table.Tr>
      <Table.Td fw={500}>{id}</Table.Td>
      <Table.Td>{KIND_NAMES[kind]}</Table.Td>
      <Table.Td className={classes.state}>
        <State connection={connection} />
        {problem !== null && (
          <Text size="xs" c="dimmed">
            {problem}
          </Text>
        )}
        <Withheld connection={connection} queryKey={KEY} />
        {polling.error !== null && <ErrorPanel error={polling.error} />}
      </Table.Td>
      <Table.Td>{polled_at === null ? 'Not yet' : <Moment time={polled_at} />}</Table.Td>
      <Table.Td ta="end">
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            // A poll that failed waits for its retry, which a click brings forward.
            loading={polling.isPending || (is_poll_pending && problem === null)}
            onClick={() => polling.mutate()}
          >
            Poll now
          </Button>
          <Changes id={id} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Edits and removes a connection. */
function Changes({ id }: { id: string }) {
  const [open, setOpen] = useState<'edit' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const Content = open === 'remove' ? RemoveConnection : ConnectionForm;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Edit ${id}`}
        onClick={() => setOpen('edit')}
      >
        Edit…
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Remove ${id}`}
        onClick={() => setOpen('remove')}
      >
        Remove…
      </Button>
      <Modal
        opened={open !== null}
        onClose={close}
        title={open === 'remove' ? `Remove ${id}?` : `Edit ${id}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Content id={id} onDone={close} />
      </Modal>
    </>
  );
}

function State({
  connection: { is_poll_pending, problem, polled_at },
}: {
  connection: ConnectionState;
}) {
  if (problem !== null) return <span className={classes.problem}>Problem</span>;
  if (is_poll_pending) return <>Polling</>;
  return polled_at === null ? <>Waiting</> : <span className={classes.good}>Up to date</span>;
}

const EXAMPLE = {
  accounting: [{ id: 'books', kind: 'hledger', url: 'http://127.0.0.1:5000', poll_seconds: 60 }],
};

function NoConnection() {
  return (
    <EmptyState
      title="No accounting system is connected"
      request={{ method: 'PATCH', path: '/api/v1/settings', body: EXAMPLE }}
    >
      The ledger reads transactions from hledger and QuickBooks Online, and fees and payouts from
      Stripe, and records each as an event. It never writes to the books. Add a connection here, or
      with this request.
    </EmptyState>
  );
}

/** Asks before an accounting connection is removed. */
function RemoveConnection({ id, onDone }: { id: string; onDone: () => void }) {
  const { data } = useQuery(settingsOf(useLedger()));
  const saving = useSaveConnections(data?.tag ?? '', `${id} is removed`, onDone);
  const remove = () => {
    if (data === undefined) return;
    saving.mutate({ accounting: data.data.accounting.filter((one) => one.id !== id) });
  };
  return (
    <>
      <Text size="sm">
        The service stops polling it and deletes its secrets. The events that it recorded are kept.
      </Text>
      <SaveError saving={saving} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onDone}>
          Keep it
        </Button>
        <Button
          color="red.8"
          disabled={data === undefined}
          loading={saving.isPending}
          onClick={remove}
        >
          Remove the connection
        </Button>
      </Group>
    </>
  );
}
