import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLedger, useSession } from '../../../app/session/context.tsx';
import { Icon } from '../../../components/icon.tsx';
import { ErrorPanel, LinesSkeleton } from '../../../components/load-states.tsx';
import { formatCount } from '../../../format/numbers.ts';
import classes from '../settings.module.css';
import { IssueForm } from './issue-form.tsx';
import { type Fresh, RevokeButton } from './key-buttons.tsx';
import { KeyTable } from './key-table.tsx';

const SHOWN = 100;

export function Keys() {
  const ledger = useLedger();
  const { mode } = useSession();
  const [fresh, setFresh] = useState<Fresh | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => ledger.keys.list({ limit: SHOWN }, { signal }).page(),
  });
  return (
    <div className={classes.wide}>
      <Text size="sm" maw={720}>
        A key lets a program use the {mode} ledger, with the permissions that it was given. Give
        each program a key of its own, with as few permissions as it needs.
      </Text>
      {fresh !== null && <NewKey fresh={fresh} onDone={() => setFresh(null)} />}
      <IssueForm onIssued={(issued) => setFresh({ issued, replaced: null })} />
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <LinesSkeleton lines={4} />}
      {data !== undefined && <KeyTable keys={data.keys} onRotated={setFresh} />}
      {data !== undefined && data.next_cursor !== null && (
        <Text size="sm" c="dimmed">
          The newest {formatCount(SHOWN)} keys are shown.
        </Text>
      )}
    </div>
  );
}

interface NewKeyProps {
  readonly fresh: Fresh;
  readonly onDone: () => void;
}

/** The text of a new key. It is nowhere else, and gone with the component. */
function NewKey({ fresh: { issued, replaced }, onDone }: NewKeyProps) {
  return (
    <Alert variant="light" icon={<Icon name="lock" />} title={`The key “${issued.name}”`}>
      <Text size="sm" mb="xs">
        Copy it now. It is shown only here, and cannot be shown again.
      </Text>
      <Group gap="xs">
        <Code style={{ overflowWrap: 'anywhere' }}>{issued.key}</Code>
        <CopyButton value={issued.key}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy the key'}
            </Button>
          )}
        </CopyButton>
      </Group>
      {replaced !== null && (
        <Text size="sm" mt="sm">
          Give it to the program first. The former key works until you revoke it.{' '}
          <RevokeButton target={replaced} onRevoked={onDone} />
        </Text>
      )}
      <Button size="xs" mt="sm" variant="default" onClick={onDone}>
        Done
      </Button>
    </Alert>
  );
}
