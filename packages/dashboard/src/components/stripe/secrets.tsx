import { Button, PasswordInput, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldProblems } from '../field-problems.ts';
import { useSaveConnections } from '../save-connections.ts';
import { SaveError } from '../save-error.tsx';
import classes from './secrets.module.css';

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
