import type { IssuedKey } from '@decision-ledger/client/api/key';
import { Alert, Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { SERVICE } from '../../app/address.ts';
import { useCan, useLedger } from '../../app/session/context.ts';
import { ErrorPanel } from '../error-panel.tsx';
import { Hash } from '../hash.tsx';
import { Icon } from '../icon.tsx';

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
