import type { IssuedKey } from '@decision-ledger/client/api/access';
import { Alert, Button, Checkbox, Code, CopyButton, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { present } from '../../../app/search-params.ts';
import { type Permission, useLedger, useMe, useSession } from '../../../app/session/context.tsx';
import { Icon } from '../../../components/icon.tsx';
import { ErrorPanel, LinesSkeleton } from '../../../components/load-states.tsx';
import { formatCount } from '../../../format/numbers.ts';
import classes from '../settings.module.css';
import { type Fresh, KeyTable, RevokeButton } from './key-table.tsx';
import { Origins } from './origins.tsx';
import { grantable } from './permissions.ts';

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
      <Origins />
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

/** The names in a list; undefined without any. */
function listOf(text: string): string[] | undefined {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** Issues a key with at most the permissions of the person. */
function IssueForm({ onIssued }: { onIssued: (key: IssuedKey) => void }) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const held = useMe()?.permissions ?? [];
  const [name, setName] = useState('');
  const [until, setUntil] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>([]);
  const [agents, setAgents] = useState('');
  const isLimited = permissions.join() === 'record';
  const issuing = useMutation({
    mutationFn: () =>
      ledger.keys.issue({
        ...{ name: name.trim(), permissions: [...permissions] },
        ...present({ agents: isLimited ? listOf(agents) : undefined }),
        ...present({ expires_at: until === '' ? undefined : `${until}T23:59:59Z` }),
      }),
    // The answer has the key itself: it is kept by the component that shows it, and nowhere else.
    gcTime: 0,
    onSuccess: async (issued) => {
      onIssued(issued);
      setName('');
      setAgents('');
      setPermissions([]);
      await queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    issuing.mutate();
  };
  return (
    <form onSubmit={onSubmit} className={classes.panel} aria-label="Create a key">
      <div className={classes.line}>
        <TextInput
          size="xs"
          label="Name of the key"
          placeholder="Refund bot"
          value={name}
          maxLength={200}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          required
          withAsterisk={false}
        />
        <TextInput
          type="date"
          size="xs"
          label="Valid to the end of (optional)"
          value={until}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
        />
      </div>
      <Checkbox.Group
        label="Permissions"
        size="xs"
        value={[...permissions]}
        onChange={(names) => setPermissions(held.filter((one) => names.includes(one)))}
      >
        <div className={classes.permissions}>
          {grantable(held).map(([permission, meaning]) => (
            <Checkbox
              key={permission}
              size="xs"
              value={permission}
              label={permission}
              description={meaning}
            />
          ))}
        </div>
      </Checkbox.Group>
      {isLimited && (
        <TextInput
          size="xs"
          label="Only decisions of these agents (optional)"
          description="Names, with commas between them. Anybody who visits the page can read its key."
          placeholder="checkout-helper, faq-bot"
          value={agents}
          onChange={({ currentTarget }) => setAgents(currentTarget.value)}
        />
      )}
      {issuing.error !== null && <ErrorPanel error={issuing.error} />}
      <Group>
        <Button
          size="xs"
          type="submit"
          disabled={permissions.length === 0 || name.trim() === ''}
          loading={issuing.isPending}
        >
          Create key
        </Button>
      </Group>
    </form>
  );
}
