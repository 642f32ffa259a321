import type { IssuedKey } from '@decision-ledger/client/api/key';
import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { present } from '../../../app/search-params.ts';
import { type Permission, useLedger, useMe } from '../../../app/session/context.tsx';
import { ErrorPanel } from '../../../components/load-states.tsx';
import classes from '../settings.module.css';
import { grantable } from './permissions.ts';

/** Issues a key with at most the permissions of the person. */
export function IssueForm({ onIssued }: { onIssued: (key: IssuedKey) => void }) {
  const ledger = useLedger();
  const queries = useQueryClient();
  const held = useMe()?.permissions ?? [];
  const [name, setName] = useState('');
  const [until, setUntil] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>([]);
  const issuing = useMutation({
    mutationFn: () =>
      ledger.keys.issue({
        ...{ name: name.trim(), permissions: [...permissions] },
        ...present({ expires_at: until === '' ? undefined : `${until}T23:59:59Z` }),
      }),
    // The answer has the key itself: it is kept by the component that shows it, and nowhere else.
    gcTime: 0,
    onSuccess: async (issued) => {
      onIssued(issued);
      setName('');
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
