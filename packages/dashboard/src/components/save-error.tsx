import { LedgerApiError } from '@decision-ledger/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLedger } from '../app/session/context.ts';
import { ErrorPanel } from './error-panel.tsx';
import { settingsOf } from './settings-query.ts';

interface SaveErrorProps {
  readonly saving: { readonly error: Error | null; reset(): void };
  /** Newer settings were loaded. */
  readonly onLoaded?: () => void;
}

/** Why a change of settings was not saved. If others were first, their settings can be loaded. */
export function SaveError({ saving, onLoaded }: SaveErrorProps) {
  const { refetch, isFetching } = useQuery(settingsOf(useLedger()));
  const { error } = saving;
  if (error === null) return null;
  const isOutdated = error instanceof LedgerApiError && error.code === 'precondition_failed';
  const load = async () => {
    await refetch();
    onLoaded?.();
    saving.reset();
  };
  return (
    <div>
      <ErrorPanel error={error} />
      {isOutdated && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          loading={isFetching}
          onClick={() => void load()}
        >
          Load the newer settings
        </Button>
      )}
    </div>
  );
}
