import type { Export } from '@decision-ledger/client/api/export';
import { Button, Progress, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { SERVICE } from '../../app/address.ts';
import { useLedger } from '../../app/session/context.tsx';
import { ExportFilterText } from '../../components/export-scope.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import { Hash, Moment } from '../../components/values.tsx';
import { formatDay } from '../../format/dates.ts';
import { formatBytes, formatCount, formatShare } from '../../format/numbers.ts';
import { daysOf, EXPORT_TYPES } from './export-choices.ts';

export function ExportRow({ export: row }: { export: Export }) {
  const { first, last } = daysOf(row);
  return (
    <Table.Tr>
      <Table.Td>
        {EXPORT_TYPES[row.export_type].label}
        {row.agent_id !== undefined && (
          <Text size="xs" c="dimmed">
            {row.agent_id}
          </Text>
        )}
        {row.filter_commitment !== undefined && (
          <Text size="xs" c="dimmed">
            {row.filter === undefined ? (
              'Filtered; the filter is forgotten'
            ) : (
              <>
                Only <ExportFilterText filter={row.filter} />
              </>
            )}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <State export={row} />
        {row.warnings.map((warning) => (
          <Text key={warning} size="xs" c="dimmed">
            {warning}
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        {formatDay(first)} – {formatDay(last)}
      </Table.Td>
      <Table.Td>
        <Moment time={row.created_at} />
      </Table.Td>
      <Table.Td ta="end">{row.decisions === null ? '' : formatCount(row.decisions)}</Table.Td>
      <Table.Td>
        {row.sha256 !== undefined && <Hash value={row.sha256} label="the SHA-256 of the file" />}
      </Table.Td>
    </Table.Tr>
  );
}

function State({ export: row }: { export: Export }) {
  const { status, progress, reason, bytes, expires_at } = row;
  if (status === 'complete') {
    return (
      <>
        <Download id={row.export_id} />
        <Text size="xs" c="dimmed" mt={4}>
          {bytes !== undefined && `${formatBytes(bytes)}, `}
          {expires_at !== null && (
            <>
              kept until <Moment time={expires_at} style="day" />
            </>
          )}
        </Text>
      </>
    );
  }
  if (status === 'failed' || status === 'expired') {
    return (
      <Text size="sm" {...(status === 'failed' ? { c: 'var(--negative)' } : { c: 'dimmed' })}>
        {status === 'failed' ? 'Failed' : 'Expired'}
        {reason !== undefined && `: ${reason}`}
      </Text>
    );
  }
  return (
    <div role="status">
      <Progress value={progress * 100} aria-label="Progress of the export" />
      <Text size="xs" c="dimmed" mt={4}>
        {status === 'pending' ? 'Waiting for a worker' : formatShare(progress)}
        {reason !== undefined && `, ${reason}`}
      </Text>
    </div>
  );
}

/** A link names the address under which the service knows itself, which need not be that of this page. */
function hereOf(url: string): string {
  const { pathname, search } = new URL(url, SERVICE);
  return `${SERVICE}${pathname.slice(pathname.indexOf('/api/v1/'))}${search}`;
}

/** Asks for a link when it is needed, because a link is valid for minutes. */
function Download({ id }: { id: string }) {
  const ledger = useLedger();
  const downloading = useMutation({
    mutationFn: () => ledger.exports.get(id),
    onSuccess: ({ download_url }) => {
      if (download_url !== undefined) window.location.assign(hereOf(download_url));
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="light"
        loading={downloading.isPending}
        onClick={() => downloading.mutate()}
      >
        Download
      </Button>
      {downloading.error !== null && <ErrorPanel error={downloading.error} />}
    </>
  );
}
