import type { Export } from '@decision-ledger/client/api/export';
import { Button, NativeSelect, Table, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { now } from '../../app/clock.ts';
import { choiceOf } from '../../app/search-params.ts';
import { useLedger } from '../../app/session/context.tsx';
import { RANGE_BASES, type RangeBasis, RangeBasisField } from '../../components/export-scope.tsx';
import { EmptyState, ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Section } from '../../components/page.tsx';
import { type CsvTable, loadWith, ShortTable } from '../../components/rows.tsx';
import { formatCount } from '../../format/numbers.ts';
import classes from './evidence.module.css';
import { currentQuarter, EXPORT_TYPES, type ExportType } from './export-choices.ts';
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

/** Those of the whole ledger; the page of an agent makes its statement. */
const TYPES = ['forensic', 'compliance', 'insurance'] as const satisfies readonly ExportType[];

/** Requests an export of whole days in UTC. */
function ExportForm() {
  const ledger = useLedger();
  const queries = useQueryClient();
  const [type, setType] = useState<(typeof TYPES)[number]>('forensic');
  const [basis, setBasis] = useState<RangeBasis>('recorded');
  const [days, setDays] = useState(() => currentQuarter(now()));
  const { hasDecisions } = EXPORT_TYPES[type];
  const requesting = useMutation({
    mutationFn: () =>
      ledger.exports.create({
        ...{ export_type: type, start_date: days.first, end_date: days.last },
        ...(hasDecisions && { range_basis: basis }),
      }),
    onSuccess: async () => {
      notifications.show({ message: 'The export is requested' });
      await queries.invalidateQueries({ queryKey: ['exports'] });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    requesting.mutate();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} data-screen-only>
      <div className={classes.fields}>
        <NativeSelect
          size="xs"
          label="Type"
          data={TYPES.map((value) => ({ value, label: EXPORT_TYPES[value].label }))}
          value={type}
          onChange={({ currentTarget: { value } }) =>
            setType(choiceOf({ value }, 'value', TYPES) ?? type)
          }
        />
        {hasDecisions && <RangeBasisField value={basis} onChange={setBasis} />}
        <TextInput
          type="date"
          size="xs"
          label="First day"
          value={days.first}
          max={days.last}
          onChange={({ currentTarget }) => setDays({ ...days, first: currentTarget.value })}
          required
          withAsterisk={false}
        />
        <TextInput
          type="date"
          size="xs"
          label="Last day"
          value={days.last}
          min={days.first}
          onChange={({ currentTarget }) => setDays({ ...days, last: currentTarget.value })}
          required
          withAsterisk={false}
        />
        <Button size="xs" type="submit" loading={requesting.isPending}>
          Create export
        </Button>
      </div>
      <Text size="xs" c="dimmed" mt={6}>
        {EXPORT_TYPES[type].hint} {hasDecisions && `${RANGE_BASES[basis].hint} `}Days are those of
        UTC.
      </Text>
      {requesting.error !== null && <ErrorPanel error={requesting.error} />}
    </form>
  );
}
