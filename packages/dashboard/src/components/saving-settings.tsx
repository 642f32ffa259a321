import { type Ledger, LedgerApiError } from '@decision-ledger/client';
import type { SettingsPatch } from '@decision-ledger/client/api/settings-forms';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLedger } from '../app/session/context.tsx';
import { ErrorPanel } from './load-states.tsx';

/** The settings with their tag: a change that was made for other settings is refused. */
export function settingsOf(ledger: Ledger) {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => ledger.settings.getTagged({ signal }),
  });
}

/** Changes the settings of connections that have this tag: lists of them are replaced as a whole. */
export function useSaveConnections(tag: string, message: string, onDone: () => void) {
  const ledger = useLedger();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (patch: Pick<SettingsPatch, 'accounting' | 'stripe'>) =>
      ledger.settings.update(patch, { ifMatch: tag }),
    onSuccess: async () => {
      onDone();
      notifications.show({ message });
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['settings'] }),
        queries.invalidateQueries({ queryKey: ['connections'] }),
      ]);
    },
  });
}

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
