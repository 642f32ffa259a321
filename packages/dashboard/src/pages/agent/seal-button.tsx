import type { Export, ExportBody } from '@decision-ledger/client/api/export';
import { Alert, Anchor, Button, Code, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLedger } from '../../app/session/context.ts';
import { DayRangeFields } from '../../components/day-range.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Gate } from '../../components/gate.tsx';
import { Hash } from '../../components/hash.tsx';
import { Moment } from '../../components/moment.tsx';
import { formatShare } from '../../format/numbers.ts';
import type { DayRange } from '../../format/range.ts';

type Type = ExportBody['export_type'];

/** What each type of export holds. None is of one agent alone. */
const CONTENTS: Readonly<Record<Type, { readonly label: string; readonly contents: string }>> = {
  forensic: {
    label: 'Forensic: the rows behind the figures',
    contents:
      'Every decision of the range with its payload, the events and links with it, and both ' +
      'chains: a recipient can compute the figures again. It covers all agents of the ledger.',
  },
  compliance: {
    label: 'Compliance: the records of Article 12',
    contents:
      'Every decision of the range with its payload, its human review and what is missing. No ' +
      'events, no links, no money. It covers all agents of the ledger.',
  },
  insurance: {
    label: 'Insurance: aggregates only',
    contents:
      'Sums over the decisions of the range by action type: oversight, confidence, losses and ' +
      'exposure. No single decision, no payload, and no agent is named.',
  },
};
const TYPES: readonly Type[] = ['forensic', 'compliance', 'insurance'];

interface SealButtonProps {
  readonly agentId: string;
  readonly range: DayRange;
}

/** Makes a signed archive of what a statement rests on, for those who may. */
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
  const [type, setType] = useState<Type>('forensic');
  const [{ from = '', to = '' }, setDays] = useState(range);
  const sealing = useMutation({
    mutationFn: () => ledger.exports.create({ export_type: type, start_date: from, end_date: to }),
  });
  if (sealing.data !== undefined) return <Sealed id={sealing.data.export_id} />;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    sealing.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <Text size="sm" mb="md">
        An archive signed with the key of your organisation, which anyone can check offline. It
        holds the evidence that the statement of {agentId} rests on, not the statement itself: print
        that and send both.
      </Text>
      <Radio.Group
        label="What it contains"
        value={type}
        onChange={(value) => setType(TYPES.find((known) => known === value) ?? type)}
      >
        <Stack gap="sm" my="xs">
          {TYPES.map((name) => (
            <Radio
              key={name}
              value={name}
              label={CONTENTS[name].label}
              description={CONTENTS[name].contents}
            />
          ))}
        </Stack>
      </Radio.Group>
      <DayRangeFields range={{ from, to }} onChange={setDays} />
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
      <Text role="status">The archive is signed.</Text>
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
          <Code block style={{ overflowX: 'auto' }} tabIndex={0}>
            {`npx decision-ledger-verify ${made.export_id}.zip \\\n  --key-fingerprint ${key_fingerprint}`}
          </Code>
          <Text size="xs" c="dimmed">
            Give the fingerprint to the recipient on another way than the archive.
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
