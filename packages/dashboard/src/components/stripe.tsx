import type { IssuedKey } from '@decision-ledger/client/api/access';
import { Alert, Anchor, Button, PasswordInput, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { SERVICE } from '../app/address.ts';
import { useCan, useLedger } from '../app/session/context.tsx';
import { Icon } from './icon.tsx';
import { ErrorPanel, fieldProblems } from './load-states.tsx';
import { SaveError, useSaveConnections } from './saving-settings.tsx';
import classes from './stripe.module.css';
import { Hash } from './values.tsx';

/** The address for Stripe, with a key that can do nothing else. */
export function StripeEndpoint() {
  const ledger = useLedger();
  const isAllowed = useCan('webhook');
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const issuing = useMutation({
    mutationFn: () => ledger.keys.issue({ name: 'Stripe webhook', permissions: ['webhook'] }),
    // The answer has the key itself: it is kept by this component, and nowhere else.
    gcTime: 0,
    onSuccess: setIssued,
  });
  return (
    <>
      <Text c="dimmed" size="sm" mb={4}>
        Stripe sends payments, refunds and disputes to this address. The key in it can do nothing
        else.{' '}
        <Anchor href={`${SERVICE}/docs/stripe#set-up`} underline="always" size="sm">
          The events to select
        </Anchor>{' '}
        are in the documentation.
      </Text>
      <Hash value={addressWith(issued?.key ?? '…')} label="the address for Stripe" full />
      {issued !== null && (
        <Alert variant="light" icon={<Icon name="lock" />} mt="xs">
          Copy the address now: its key is shown only here, and cannot be shown again.
        </Alert>
      )}
      {issuing.error !== null && <ErrorPanel error={issuing.error} />}
      {isAllowed ? (
        issued === null && (
          <Button
            size="xs"
            variant="default"
            mt="xs"
            loading={issuing.isPending}
            onClick={() => issuing.mutate()}
          >
            Create a key for this address
          </Button>
        )
      ) : (
        <Text size="sm" mt="xs">
          To create its key here, sign in with a key that has the permission webhook.
        </Text>
      )}
    </>
  );
}

function addressWith(key: string): string {
  return `${SERVICE}/api/v1/financial-events/webhook/stripe?key=${key}`;
}

interface SecretsProps {
  /** Masks. */
  readonly secrets: readonly string[];
  readonly tag: string;
}

/** Secrets are written and never read: answers have masks, which keep them. */
export function StripeSecrets({ secrets, tag }: SecretsProps) {
  const [secret, setSecret] = useState('');
  const adding = useSaveConnections(tag, 'The signing secret is saved', () => setSecret(''));
  const removing = useSaveConnections(tag, 'The signing secret is removed', () => undefined);
  const problems = fieldProblems(adding.error);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate({ stripe: { signing_secrets: [...secrets, secret.trim()] } });
  };
  return (
    <>
      {secrets.length === 0 && (
        <Text size="sm" c="dimmed">
          There is no signing secret yet, so every call is refused.
        </Text>
      )}
      <ul className={classes.secrets} aria-label="Signing secrets">
        {secrets.map((mask) => (
          <li key={mask}>
            <code>{mask}</code>{' '}
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={`Remove the secret ${mask}`}
              loading={removing.isPending}
              onClick={() =>
                removing.mutate({
                  stripe: { signing_secrets: secrets.filter((other) => other !== mask) },
                })
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <SaveError saving={removing} />
      <form onSubmit={onSubmit} noValidate>
        <PasswordInput
          size="xs"
          w={320}
          label="Signing secret"
          description="It begins with whsec_. To rotate it, add the new one, then remove the old one."
          autoComplete="off"
          value={secret}
          error={problems[`stripe.signing_secrets[${secrets.length}]`]}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
        <SaveError saving={adding} />
        <Button
          size="xs"
          mt="xs"
          type="submit"
          disabled={secret.trim() === ''}
          loading={adding.isPending}
        >
          Save the secret
        </Button>
      </form>
    </>
  );
}
