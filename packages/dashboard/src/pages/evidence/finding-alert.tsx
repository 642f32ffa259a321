import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../components/icon.tsx';
import { type Finding, recordOf, sentenceOf } from './finding.ts';

interface FindingAlertProps {
  readonly chain: 'decisions' | 'activity';
  readonly finding: Finding | null;
}

/** The first record that does not fit, and what to do about it. */
export function FindingAlert({ chain, finding }: FindingAlertProps) {
  if (finding === null) return null;
  const id = recordOf(finding);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="warning" />}
      title={
        chain === 'decisions' ? 'The decision chain is broken' : 'The activity chain is broken'
      }
      role="alert"
      mt="sm"
    >
      <Text size="sm">{sentenceOf(finding)}</Text>
      {finding.expected !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Expected {String(finding.expected)}, found {String(finding.actual ?? 'nothing')}.
        </Text>
      )}
      <Text size="sm" mt={6}>
        Keep the database as it is. Compare it with the last backup and with earlier exports, and
        find out who had access to it.
      </Text>
      {chain === 'decisions' && id !== null && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/decisions/$decisionId" params={{ decisionId: id }} {...props} />
          )}
        >
          Open the decision
        </Anchor>
      )}
    </Alert>
  );
}
