import type { SigningKey } from '@decision-ledger/client/api/export';
import { Anchor, Badge, Button, CopyButton, Table, Text } from '@mantine/core';
import { SERVICE } from '../../app/address.ts';
import { useLedger } from '../../app/session/context.tsx';
import { ErrorPanel, LinesSkeleton } from '../../components/load-states.tsx';
import { Section } from '../../components/page.tsx';
import { type CsvTable, loadWith, ShortTable } from '../../components/rows.tsx';
import { useSigningKeys } from '../../components/shared-queries.ts';
import { Command, Hash, Moment } from '../../components/values.tsx';
import classes from './evidence.module.css';
import {
  byHandCommands,
  VERDICTS,
  verifierCommand,
  verifierOptions,
} from './verification-words.ts';

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

/** How a recipient checks an export without this service. */
export function OfflineCheck() {
  const fingerprint = useSigningKeys().data?.[0]?.fingerprint;
  return (
    <Section title="Check an export offline">
      <Text size="sm" maw={720} mb="md">
        An export proves itself: nobody who checks it has to trust this service, this page or the
        person who sent it. There are three ways, all without a network. Each needs the fingerprint
        of the signing key, obtained independently of the export.
      </Text>
      <div className={classes.ways}>
        <section className={classes.way}>
          <h3>With the page</h3>
          <Text size="sm">
            One file that contains all its code and cannot use the network. Open it in a browser,
            drop the export on it and enter the fingerprint.
          </Text>
          <Anchor href={`${SERVICE}/verify.html`} download="verify.html" size="sm" data-screen-only>
            Download verify.html
          </Anchor>
          <Text size="sm" c="dimmed">
            A recipient who does not trust this copy makes their own:
          </Text>
          <Command
            label="Make the page"
            text="npx --no decision-ledger-verify --write-page verify.html"
          />
        </section>
        <section className={classes.way}>
          <h3>On the command line</h3>
          <Command label="Check an export" text={verifierCommand(fingerprint)} />
          <dl className={classes.options}>
            {verifierOptions.map(({ option, meaning }) => (
              <div key={option}>
                <dt>
                  <code>{option}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          <Text size="sm" c="dimmed">
            It exits with 0 if no verdict fails, with 1 if one does, with 2 if it could not check,
            and with 3 if it is unproven who signed the export or that nothing is missing.
          </Text>
        </section>
        <section className={classes.way}>
          <h3>By hand</h3>
          <Text size="sm">
            The first line prints the fingerprint of the key in the export: compare it. The second
            prints “Verified OK” if that key signed the list of files.
          </Text>
          <Command label="Check the signature by hand" text={byHandCommands} />
        </section>
      </div>
      <Verdicts />
    </Section>
  );
}

function Verdicts() {
  return (
    <Table.ScrollContainer minWidth={560} mt="md">
      <Table aria-label="Verdicts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Verdict</Table.Th>
            <Table.Th>“Pass” means</Table.Th>
            <Table.Th>“Unproven” means</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {VERDICTS.map(({ name, pass, unproven }) => (
            <Table.Tr key={name}>
              <Table.Td fw={500}>{name}</Table.Td>
              <Table.Td>{pass}</Table.Td>
              <Table.Td>{unproven}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
