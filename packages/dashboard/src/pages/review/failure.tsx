import { LedgerConnectionError } from '@decision-ledger/client';
import { Alert, Button } from '@mantine/core';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Icon } from '../../components/icon.tsx';
import type { AnswerFailure } from './use-answering.ts';

interface FailureProps {
  readonly failure: AnswerFailure;
  readonly onReload: () => void;
}

const LOST = {
  answer: {
    title: 'The answer may not have been saved',
    remedy: 'Answer again. If the first attempt was saved, it is not recorded twice.',
  },
  undo: {
    title: 'The answer may not have been withdrawn',
    remedy: 'It is shown as before. Undo again: withdrawing an answer twice has no effect.',
  },
} as const;

/** Why an answer failed, and how to go on without giving it twice. */
export function Failure({ failure: { error, of }, onReload }: FailureProps) {
  if (!(error instanceof LedgerConnectionError)) {
    return (
      <>
        <ErrorPanel error={error} />
        <Button size="xs" variant="default" mt="xs" onClick={onReload}>
          Reload the list
        </Button>
      </>
    );
  }
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={LOST[of].title} role="alert">
      The connection was lost. {LOST[of].remedy}
    </Alert>
  );
}
