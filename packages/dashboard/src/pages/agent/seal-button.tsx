import type { Export } from '@decision-ledger/client/api/export';
import { Alert, Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.tsx';
import { DayRangeFields } from '../../components/day-range.tsx';
import { RANGE_BASES, type RangeBasis, RangeBasisField } from '../../components/export-scope.tsx';
import { ErrorPanel } from '../../components/load-states.tsx';
import { Gate } from '../../components/page.tsx';
import { Command, Hash, Moment } from '../../components/values.tsx';
import type { DayRange } from '../../format/dates.ts';
import { formatShare } from '../../format/numbers.ts';

interface SealButtonProps {
  readonly agentId: string;
  readonly range: DayRange;
}

/** Makes a signed archive of a statement, for those who may. */
export function SealButton({ agentId, range }: SealButtonProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Gate permission="export">
      <Button size="xs" onClick={dialog.open} data-screen-only>
        Seal this statement…
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title="Seal this statement"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <SealForm agentId={agentId} range={range} />
      </Modal>
    </Gate>
  );
}

function SealForm({ agentId, range }: SealButtonProps) {
  const ledger = useLedger();
  const [{ from = '', to = '' }, setDays] = useState(range);
  const [basis, setBasis] = useState<RangeBasis>('recorded');
  const sealing = useMutation({
    mutationFn: () =>
      ledger.exports.create({
        ...{ export_type: 'statement', agent_id: agentId, start_date: from, end_date: to },
        range_basis: basis,
      }),
  });
  if (sealing.data !== undefined) return <Sealed id={sealing.data.export_id} />;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    sealing.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Text size="sm" mb="xs">
        An archive signed with the key of your organisation, which anyone can check offline. It
        holds the statement of <strong>{agentId}</strong>: every figure to the cent, the rows that
        each figure is the sum of, and both chains, which prove the rows.
      </Text>
      <Text size="sm" c="dimmed" mb="md">
        The figures and their rows are those of the moment in which the archive is begun. It has no
        payload of a decision. Of other agents, the chains name the time, the type and the digest of
        each decision. Archives of the whole ledger are made on the page{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/evidence" {...props} />}>
          Evidence
        </Anchor>
        .
      </Text>
      <Group align="end">
        <DayRangeFields range={{ from, to }} onChange={setDays} />
        <RangeBasisField value={basis} onChange={setBasis} />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {RANGE_BASES[basis].hint}
      </Text>
      {(from === '' || to === '') && (
        <Text size="xs" c="dimmed" mt={4}>
          An archive needs a first and a last day.
        </Text>
      )}
      {sealing.error !== null && <ErrorPanel error={sealing.error} />}
      <Group justify="flex-end" mt="md">
        <Button type="submit" disabled={from === '' || to === ''} loading={sealing.isPending}>
          Seal
        </Button>
      </Group>
    </form>
  );
}

const POLL_MS = 1500;

function Sealed({ id }: { id: string }) {
  const ledger = useLedger();
  const { data, error, refetch } = useQuery({
    queryKey: ['exports', id],
    queryFn: ({ signal }) => ledger.exports.get(id, { signal }),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? POLL_MS : false),
  });
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (isUnderWay(data)) {
    return (
      <Text role="status">
        The archive is being made: {formatShare(data?.progress ?? 0)}. You may close this dialog;
        the page Evidence lists it.
      </Text>
    );
  }
  return data?.status === 'complete' ? <Done made={data} /> : <Failed reason={data?.reason} />;
}

function isUnderWay(made: Export | undefined): boolean {
  return made === undefined || made.status === 'pending' || made.status === 'running';
}

function Failed({ reason }: { reason: string | undefined }) {
  return (
    <Alert color="red" variant="light" title="The archive could not be made">
      {reason ?? 'Try again on the page Evidence.'}
    </Alert>
  );
}

function Done({ made }: { made: Export }) {
  const { download_url, sha256, key_fingerprint, expires_at } = made;
  return (
    <Stack gap="sm">
      <Text role="status">The statement is sealed and signed.</Text>
      {download_url !== undefined && (
        <Anchor href={download_url} download>
          Download the archive
        </Anchor>
      )}
      {sha256 !== undefined && (
        <Text size="sm">
          SHA-256 <Hash value={sha256} label="the SHA-256" full />
        </Text>
      )}
      {key_fingerprint !== undefined && (
        <>
          <Text size="sm">
            Key fingerprint <Hash value={key_fingerprint} label="the fingerprint" full />
          </Text>
          <Text size="sm">To check it, offline and without this service:</Text>
          <Command
            label="the check"
            text={`npx --no decision-ledger-verify ${made.export_id}.zip \\\n  --key-fingerprint ${key_fingerprint}`}
          />
          <Text size="xs" c="dimmed">
            Send the fingerprint to the recipient through a different channel.
          </Text>
        </>
      )}
      {expires_at !== null && (
        <Text size="xs" c="dimmed">
          The file is kept until <Moment time={expires_at} />.
        </Text>
      )}
    </Stack>
  );
}
