import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCan, useLedger } from '../../app/session/context.tsx';
import {
  ERASURE,
  ERASURES_CSV,
  erasedFieldsOf,
  erasureReasonOf,
} from '../../components/csv-tables.ts';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Gate, Page, PageGate, Section } from '../../components/page.tsx';
import { loadWith, ShortTable } from '../../components/rows.tsx';
import { Moment } from '../../components/values.tsx';
import { formatCount } from '../../format/numbers.ts';
import { Exports } from './exports.tsx';
import { Logs } from './logs.tsx';
import { OfflineCheck, SigningKeys } from './offline-check.tsx';
import { Verification } from './verification.tsx';

export function EvidencePage() {
  const canExport = useCan('export');
  return (
    <Page
      title="Evidence"
      description="Proof of what was recorded, even for people who do not trust you"
    >
      <Gate permission="read">
        <Verification />
        <Logs />
      </Gate>
      {canExport ? <Exports /> : <PageGate permission="read">{null}</PageGate>}
      <Gate permission="read">
        <SigningKeys />
        <OfflineCheck />
        <Section title="Erasures">
          <Erasures />
        </Section>
      </Gate>
    </Page>
  );
}

const SHOWN = 20;

/** Which payload fields were erased, by whom and why. */
function Erasures() {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['decision', 'erasures'],
    queryFn: ({ signal }) =>
      ledger.operations.activity({ type: ERASURE, limit: SHOWN }, { signal }).page(),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <LinesSkeleton lines={3} />;
  if (data.activity.length === 0) {
    return (
      <Text c="dimmed" maw={720}>
        Nothing was erased. Fields of a payload can be erased on the page of a decision, with the
        permission erase. The chain stays valid and proves that something was recorded.
      </Text>
    );
  }
  return (
    <>
      <ShortTable
        label="Erasures"
        minWidth={640}
        csv={ERASURES_CSV}
        rows={loadWith(
          (wanted, options) => ledger.operations.activity({ type: ERASURE, ...wanted }, options),
          ({ activity }) => activity,
        )}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Erased</Table.Th>
            <Table.Th>Decision</Table.Th>
            <Table.Th>Fields</Table.Th>
            <Table.Th>By</Table.Th>
            <Table.Th>Reason</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.activity.map((entry) => (
            <Table.Tr key={entry.activity_id}>
              <Table.Td>
                <Moment time={entry.created_at} />
              </Table.Td>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => (
                    <Link
                      to="/decisions/$decisionId"
                      params={{ decisionId: entry.subject }}
                      {...props}
                    />
                  )}
                >
                  <code>{entry.subject}</code>
                </Anchor>
              </Table.Td>
              <Table.Td>{erasedFieldsOf(entry)}</Table.Td>
              <Table.Td>{entry.actor}</Table.Td>
              <Table.Td>{erasureReasonOf(entry)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ShortTable>
      {data.next_cursor !== null && (
        <Text c="dimmed" size="sm" mt="xs">
          The newest {formatCount(SHOWN)} erasures are shown.
        </Text>
      )}
    </>
  );
}
