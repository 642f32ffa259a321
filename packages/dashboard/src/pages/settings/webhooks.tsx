import { Anchor, Button, Code, Group, PasswordInput, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { SERVICE } from '../../app/address.ts';
import { SaveError } from '../../components/save-error.tsx';
import classes from './settings.module.css';
import { type TaggedSettings, useSave } from './use-settings.ts';
import { WithSettings } from './with-settings.tsx';

const PATH = '/api/v1/financial-events/webhook/stripe';
const MOST_SECRETS = 5;

export function Webhooks() {
  return <WithSettings>{(tagged) => <Stripe {...tagged} />}</WithSettings>;
}

/** The endpoint that Stripe calls, and the secrets that its calls are signed with. */
function Stripe({ settings: { stripe }, tag }: TaggedSettings) {
  const [secret, setSecret] = useState('');
  const saving = useSave(tag);
  const onSuccess = () => setSecret((now) => (now === secret ? '' : now));
  // A mask that is sent back keeps its secret.
  const save = (signing_secrets: readonly string[]) =>
    saving.mutate({ stripe: { signing_secrets: [...signing_secrets] } }, { onSuccess });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save([...stripe.signing_secrets, secret]);
  };
  return (
    <div className={classes.form}>
      <h2>Stripe</h2>
      <Text size="sm">
        Enter this address as a webhook endpoint in Stripe, with a{' '}
        <Anchor
          size="sm"
          underline="always"
          renderRoot={(props) => <Link to="/settings" search={{ section: 'keys' }} {...props} />}
        >
          key that has the permission webhook alone
        </Anchor>{' '}
        in place of KEY. Then add the signing secret that Stripe shows for the endpoint.
      </Text>
      <Code block>{`${SERVICE}${PATH}?key=KEY`}</Code>
      {stripe.signing_secrets.length === 0 ? (
        <Text size="sm" c="dimmed">
          There is no signing secret yet: every call is refused.
        </Text>
      ) : (
        <ul className={classes.list} aria-label="Signing secrets">
          {stripe.signing_secrets.map((mask) => (
            <li key={mask}>
              <Code>{mask}</Code>
              <Button
                size="compact-xs"
                variant="default"
                disabled={saving.isPending}
                aria-label={`Remove the secret ${mask}`}
                onClick={() => save(stripe.signing_secrets.filter((one) => one !== mask))}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={onSubmit} className={classes.line}>
        <PasswordInput
          size="xs"
          w={320}
          label="Another signing secret"
          placeholder="whsec_…"
          autoComplete="off"
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value.trim())}
        />
        <Group>
          <Button
            size="xs"
            type="submit"
            disabled={secret === '' || stripe.signing_secrets.length >= MOST_SECRETS}
            loading={saving.isPending}
          >
            Add
          </Button>
        </Group>
      </form>
      <Text size="sm" c="dimmed">
        A call is accepted if one of the secrets signed it. To replace one without a gap, add the
        new one, change it in Stripe, and remove the old one.
      </Text>
      <SaveError saving={saving} />
    </div>
  );
}
