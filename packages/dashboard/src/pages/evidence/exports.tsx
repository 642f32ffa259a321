import type { Export } from '@decision-ledger/client/api/export';
import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../../app/session/context.ts';
import type { CsvTable } from '../../components/csv/csv-button.tsx';
import { loadWith } from '../../components/data-table/pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Section } from '../../components/page.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { formatCount } from '../../format/numbers.ts';
import { ExportForm } from './export-form.tsx';
import { ExportRow } from './export-row.tsx';

const SHOWN = 50;
/** The stream announces a change of the status, and nothing of the progress. */
const POLL_MS = 1000;

/** Signed archives: request one, follow it, download it. */
export function Exports() {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['exports'],
    queryFn: ({ signal }) => ledger.exports.list({ limit: SHOWN }, { signal }).page(),
    refetchInterval: ({ state }) => (state.data?.exports.some(isActive) ? POLL_MS : false),
  });
  return (
    <Section title="Exports">
      <ExportForm />
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LinesSkeleton lines={3} />}
      {data?.exports.length === 0 && (
        <EmptyState
          title="No export yet"
          request={{
            method: 'POST',
            path: '/api/v1/exports',
            body: { export_type: 'forensic', start_date: '2026-01-01', end_date: '2026-03-31' },
          }}
        >
          An export is a signed archive of the decisions, the money and the changes of a time range.
          Anyone who receives it can check it without access to this service. Request one above, or
          with this request.
        </EmptyState>
      )}
      {data !== undefined && data.exports.length > 0 && <List exports={data.exports} />}
      {data !== undefined && data.next_cursor !== null && (
        <Text c="dimmed" size="sm" mt="xs">
          The newest {formatCount(SHOWN)} exports are shown.
        </Text>
      )}
    </Section>
  );
}

function isActive({ status }: Export): boolean {
  return status === 'pending' || status === 'running';
}

const CSV: CsvTable<Export> = {
  name: 'exports',
  columns: {
    export_id: ({ export_id }) => export_id,
    export_type: ({ export_type }) => export_type,
    agent_id: ({ agent_id }) => agent_id,
    filter: ({ filter }) => filter && JSON.stringify(filter),
    range_basis: ({ range_basis }) => range_basis,
    start_date: ({ start_date }) => start_date,
    end_date: ({ end_date }) => end_date,
    status: ({ status }) => status,
    reason: ({ reason }) => reason,
    warnings: ({ warnings }) => warnings.join(' '),
    decisions: ({ decisions }) => decisions,
    requested_by: ({ requested_by }) => requested_by,
    created_at: ({ created_at }) => created_at,
    completed_at: ({ completed_at }) => completed_at,
    expires_at: ({ expires_at }) => expires_at,
    bytes: ({ bytes }) => bytes,
    sha256: ({ sha256 }) => sha256,
    key_fingerprint: ({ key_fingerprint }) => key_fingerprint,
  },
};

function List({ exports }: { exports: readonly Export[] }) {
  const ledger = useLedger();
  return (
    <ShortTable
      label="Exports"
      minWidth={760}
      csv={CSV}
      rows={loadWith(
        (wanted, options) => ledger.exports.list(wanted, options),
        (page) => page.exports,
      )}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Type</Table.Th>
          <Table.Th w={200}>State</Table.Th>
          <Table.Th>Range</Table.Th>
          <Table.Th>Requested</Table.Th>
          <Table.Th ta="end">Decisions</Table.Th>
          <Table.Th>SHA-256</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {exports.map((one) => (
          <ExportRow key={one.export_id} export={one} />
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}
