import { LedgerConnectionError } from '@decision-ledger/client';
import { Alert, Button } from '@mantine/core';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Icon } from '../../components/icon.tsx';

interface FailureProps {
  readonly error: Error;
  readonly onReload: () => void;
}

/** Why an answer failed, and how to go on without giving it twice. */
export function Failure({ error, onReload }: FailureProps) {
  if (!(error instanceof LedgerConnectionError)) {
    return (
      <>
        <ErrorPanel error={error} />
        <Button size="xs" variant="default" mt="xs" onClick={onReload}>
          Read the list again
        </Button>
      </>
    );
  }
  return (
    <Alert
      color="orange"
      icon={<Icon name="warning" />}
      title="It is not known whether the answer arrived"
      role="alert"
    >
      The connection was lost. Give the answer again: if it arrived, it is not recorded a second
      time.
    </Alert>
  );
}
