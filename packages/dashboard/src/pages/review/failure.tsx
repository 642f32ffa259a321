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
    title: 'It is not known whether the answer arrived',
    remedy: 'Give the answer again: if it arrived, it is not recorded a second time.',
  },
  undo: {
    title: 'It is not known whether the answer was taken back',
    remedy: 'It is shown as it was. Undo again: what was taken back already stays so.',
  },
} as const;

/** Why an answer failed, and how to go on without giving it twice. */
export function Failure({ failure: { error, of }, onReload }: FailureProps) {
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
    <Alert color="orange" icon={<Icon name="warning" />} title={LOST[of].title} role="alert">
      The connection was lost. {LOST[of].remedy}
    </Alert>
  );
}
