import type { DeadJob } from '@decision-ledger/client/api/operations';
import { Button, Code, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { type CsvTable, loadWith, ShortTable } from '../../components/rows.tsx';
import { Moment } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
import classes from './settings.module.css';

const SHOWN = 100;

const CSV: CsvTable<DeadJob> = {
  name: 'dead-letters',
  columns: {
    job_id: ({ job_id }) => job_id,
    queue: ({ queue }) => queue,
    data: ({ data }) => JSON.stringify(data),
    error: ({ error }) => error,
    tries: ({ tries }) => tries,
    created_at: ({ created_at }) => created_at,
    failed_at: ({ failed_at }) => failed_at,
  },
};

/** Background work that failed too often. */
export function FailedJobs() {
  const ledger = useLedger();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: ['jobs', 'dead', 'list'],
    queryFn: ({ signal }) => ledger.operations.deadJobs({ limit: SHOWN }, { signal }).page(),
  });
  const retrying = useMutation({
    mutationFn: (id: string) => ledger.operations.retryJob(id),
    onSuccess: () => notifications.show({ message: 'The job runs again' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['jobs'] }),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={4} />;
  if (data.jobs.length === 0) {
    return (
      <Text c="dimmed" maw={720}>
        No background work has failed. Work that fails is tried again by itself; what fails too
        often is kept here, with the reason, until you retry it.
      </Text>
    );
  }
  return (
    <div className={classes.wide}>
      <Text size="sm" maw={720}>
        These jobs failed too many times. Fix the cause, often an address or a secret in the
        settings, then retry.
      </Text>
      {retrying.error !== null && <ErrorPanel error={retrying.error} />}
      <ShortTable
        label="Dead letters"
        minWidth={760}
        csv={CSV}
        rows={loadWith(
          (wanted, options) => ledger.operations.deadJobs(wanted, options),
          ({ jobs }) => jobs,
        )}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Work</Table.Th>
            <Table.Th>Error of the last attempt</Table.Th>
            <Table.Th ta="end">Attempts</Table.Th>
            <Table.Th>Failed</Table.Th>
            <Table.Th data-screen-only />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.jobs.map((job) => (
            <Row
              key={job.job_id}
              job={job}
              isBusy={retrying.isPending}
              onRetry={() => retrying.mutate(job.job_id)}
            />
          ))}
        </Table.Tbody>
      </ShortTable>
      {data.next_cursor !== null && (
        <Text size="sm" c="dimmed">
          The newest {formatCount(SHOWN)} are shown.
        </Text>
      )}
    </div>
  );
}

interface RowProps {
  readonly job: DeadJob;
  readonly isBusy: boolean;
  readonly onRetry: () => void;
}

function Row({ job, isBusy, onRetry }: RowProps) {
  return (
    <Table.Tr>
      <Table.Td>
        {job.queue}
        <Text size="xs" c="dimmed" maw={240} style={{ overflowWrap: 'anywhere' }}>
          <Code fz="xs">{JSON.stringify(job.data)}</Code>
        </Text>
      </Table.Td>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{job.error}</Table.Td>
      <Table.Td ta="end">{formatCount(job.tries)}</Table.Td>
      <Table.Td>
        <Moment time={job.failed_at} />
      </Table.Td>
      <Table.Td data-screen-only ta="end">
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Retry ${job.queue}`}
          disabled={isBusy}
          onClick={onRetry}
        >
          Retry
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
