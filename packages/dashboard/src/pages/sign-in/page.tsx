import { LedgerApiError } from '@decision-ledger/client';
import { Alert, Anchor, Button, Paper, PasswordInput, Text, TextInput, Title } from '@mantine/core';
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { PREFIX } from '../../app/address.ts';
import { ledgerFor } from '../../app/session/context.tsx';
import type { EndReason, Mode } from '../../app/session/store.ts';
import { ErrorPanel } from '../../components/load-states.tsx';
import classes from './sign-in.module.css';

const route = getRouteApi('/sign-in');

const REASONS: Readonly<Record<EndReason, string>> = {
  expired: 'Your session has expired. A session lasts eight hours.',
  revoked: 'Your session was ended, or the key that opened it was revoked.',
  'signed-out': 'You are signed out. The session was revoked.',
};

export function SignInPage() {
  const [queries] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queries}>
      <title>Sign in · Decision Ledger</title>
      <main className={classes.page}>
        <Paper withBorder p="xl" className={classes.card}>
          <SignIn />
        </Paper>
      </main>
    </QueryClientProvider>
  );
}

function SignIn() {
  const { mode } = route.useSearch();
  const { sessions } = useRouter().options.context;
  const { ended } = sessions.state;
  return (
    <>
      <Title order={1} mb={4}>
        {mode === undefined ? 'Sign in' : `Sign in to ${mode} mode`}
      </Title>
      <Text c="dimmed" size="sm" mb="lg">
        {mode === undefined
          ? 'Paste an API key. It is exchanged for a session and is not kept.'
          : `Live and test data are kept apart: paste ${mode === 'test' ? 'a test' : 'a live'} key.`}
      </Text>
      {ended !== null && (
        <Alert color="ink" variant="light" mb="md" role="status">
          {REASONS[ended.reason]}
        </Alert>
      )}
      <SignInForm wanted={mode} />
      <OtherMode />
    </>
  );
}

function SignInForm({ wanted }: { wanted: Mode | undefined }) {
  const [key, setKey] = useState('');
  const [name, setName] = useState('');
  const { back } = route.useSearch();
  const router = useRouter();
  const { sessions } = router.options.context;
  const opening = useMutation({
    mutationFn: () => openSession(key.trim(), name.trim(), wanted),
    onSuccess: (session) => {
      setKey('');
      sessions.open(session);
      router.history.replace(`${PREFIX}${back ?? '/'}`);
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    opening.mutate();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      <PasswordInput
        label="API key"
        placeholder="lg_live_… or lg_test_…"
        value={key}
        onChange={({ currentTarget }) => setKey(currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
        required
        autoFocus
      />
      <TextInput
        label="Your name"
        description="What you change is recorded under this name."
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        autoComplete="name"
        maxLength={200}
        required
      />
      {opening.error !== null && <SignInError error={opening.error} />}
      <Button type="submit" loading={opening.isPending}>
        Sign in
      </Button>
    </form>
  );
}

/** The key belongs to the other mode. */
class WrongModeError extends Error {
  override readonly name = 'WrongModeError';
}

/** The mode of a key is part of its text. */
const KEY_MODE = /^lg_(live|test)_/;

async function openSession(key: string, name: string, wanted: Mode | undefined) {
  const mode = KEY_MODE.exec(key)?.[1];
  if (mode !== undefined && wanted !== undefined && mode !== wanted) {
    throw new WrongModeError(`This is a ${mode} key. Paste a ${wanted} key.`);
  }
  return ledgerFor(key).sessions.open({ name });
}

function SignInError({ error }: { error: Error }) {
  if (error instanceof WrongModeError) {
    return (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  }
  if (error instanceof LedgerApiError && error.code === 'unauthorized') {
    return (
      <Alert color="red" role="alert" title="The key is not accepted">
        It is mistyped, unknown, revoked or expired. Copy it again from where it is stored, or issue
        another one with <code>decision-ledger key issue</code>.
      </Alert>
    );
  }
  return <ErrorPanel error={error} />;
}

/** Back to the mode whose session still holds. */
function OtherMode() {
  const router = useRouter();
  const { sessions } = router.options.context;
  const { mode } = route.useSearch();
  const { live, test } = sessions.state.sessions;
  const other = mode === 'live' ? test : mode === 'test' ? live : (live ?? test);
  if (other === undefined) return null;
  const onClick = () => {
    sessions.show(other.mode);
    void router.navigate({ to: '/' });
  };
  return (
    <Anchor component="button" size="sm" mt="md" onClick={onClick}>
      Go back to {other.mode} mode
    </Anchor>
  );
}
