import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { Icon } from '../../../components/icon.tsx';
import type { Fresh } from './fresh.ts';
import { RevokeButton } from './revoke-button.tsx';

interface NewKeyProps {
  readonly fresh: Fresh;
  readonly onDone: () => void;
}

/** The text of a new key. It is nowhere else, and gone with the component. */
export function NewKey({ fresh: { issued, replaced }, onDone }: NewKeyProps) {
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
