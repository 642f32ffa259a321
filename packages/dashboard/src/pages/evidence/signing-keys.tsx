import type { SigningKey } from '@decision-ledger/client/api/signing-key';
import { Badge, Button, CopyButton, Table, Text } from '@mantine/core';
import { useLedger } from '../../app/session/context.ts';
import type { CsvTable } from '../../components/csv/csv-button.tsx';
import { loadWith } from '../../components/data-table/pages.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Hash } from '../../components/hash.tsx';
import { Moment } from '../../components/moment.tsx';
import { Section } from '../../components/page.tsx';
import { LinesSkeleton } from '../../components/page-skeleton.tsx';
import { ShortTable } from '../../components/short-table.tsx';
import { useSigningKeys } from '../../components/use-signing-keys.ts';

/** The keys that sign exports. Their fingerprints are published where auditors find them. */
export function SigningKeys() {
  const { data, error, refetch } = useSigningKeys();
  return (
    <Section title="Signing keys">
      <Text size="sm" maw={720} mb="xs">
        Publish the fingerprints where a recipient finds them without you, such as your website or a
        contract. With the fingerprint, an auditor knows that an export comes from your
        organisation. Keep the fingerprints of retired keys published: they check older exports.
      </Text>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LinesSkeleton lines={2} />}
      {data?.length === 0 && (
        <Text c="dimmed">
          There is no signing key yet. The first export makes one; so does the command{' '}
          <code>decision-ledger signing-key show</code>.
        </Text>
      )}
      {data !== undefined && data.length > 0 && <Keys keys={data} />}
    </Section>
  );
}

const CSV: CsvTable<SigningKey> = {
  name: 'signing-keys',
  columns: {
    fingerprint: ({ fingerprint }) => fingerprint,
    algorithm: ({ algorithm }) => algorithm,
    created_at: ({ created_at }) => created_at,
    retired_at: ({ retired_at }) => retired_at,
    public_key: ({ public_key }) => public_key,
  },
};

function Keys({ keys }: { keys: readonly SigningKey[] }) {
  const ledger = useLedger();
  return (
    <ShortTable
      label="Signing keys"
      minWidth={720}
      csv={CSV}
      rows={loadWith(
        (wanted, options) => ledger.operations.signingKeys(wanted, options),
        ({ signing_keys }) => signing_keys,
      )}
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Fingerprint (SHA-256)</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th data-screen-only>Public key</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map(({ fingerprint, created_at, retired_at, public_key }) => (
          <Table.Tr key={fingerprint}>
            <Table.Td>
              <Hash value={fingerprint} label="the fingerprint" full />
            </Table.Td>
            <Table.Td>
              <Moment time={created_at} style="day" />
            </Table.Td>
            <Table.Td>
              {retired_at === null ? (
                <Badge variant="light" tt="none" fw={500}>
                  Current
                </Badge>
              ) : (
                <>
                  Until <Moment time={retired_at} style="day" />
                </>
              )}
            </Table.Td>
            <Table.Td data-screen-only>
              <CopyButton value={public_key}>
                {({ copied, copy }) => (
                  <Button size="compact-xs" variant="default" onClick={copy}>
                    {copied ? 'Copied' : 'Copy PEM'}
                  </Button>
                )}
              </CopyButton>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ShortTable>
  );
}
