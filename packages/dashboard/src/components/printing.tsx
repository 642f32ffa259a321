import { Button } from '@mantine/core';
import { notifyManager, useQueryClient } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import classes from './printing.module.css';

/** Prints the page as a statement, once everything on it is known. */
export function PrintButton() {
  const isComplete = useIsComplete();
  return (
    <Button
      variant="default"
      size="xs"
      disabled={!isComplete}
      leftSection={<Icon name="print" />}
      onClick={() => window.print()}
    >
      Print
    </Button>
  );
}

/** Whether everything in view is known: no query of the page waits for its first answer. */
function useIsComplete(): boolean {
  const queries = useQueryClient().getQueryCache();
  const isOpening = useRouterState({ select: ({ status }) => status === 'pending' });
  const isWaiting = useSyncExternalStore(
    useCallback((onChange) => queries.subscribe(notifyManager.batchCalls(onChange)), [queries]),
    () =>
      queries
        .findAll({ type: 'active' })
        .some(({ state }) => state.status === 'pending' && state.fetchStatus !== 'idle'),
  );
  return !isOpening && !isWaiting;
}

/** Content that is printed when it is complete. Until then, paper says why it is empty. */
export function CompleteOnPaper({ children }: { children: ReactNode }) {
  const isComplete = useIsComplete();
  return (
    <>
      {!isComplete && (
        <p data-print-only data-testid="not-printed">
          This page was not complete when it was printed, so nothing of it is shown. Wait until all
          figures are loaded, and print it again.
        </p>
      )}
      <div className={isComplete ? undefined : classes.incomplete}>{children}</div>
    </>
  );
}
