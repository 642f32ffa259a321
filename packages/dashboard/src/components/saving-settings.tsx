import { type Ledger, LedgerApiError } from '@decision-ledger/client';
import type { SettingsAnswer, SettingsPatch } from '@decision-ledger/client/api/settings-forms';
import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  notifyManager,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useLedger } from '../app/session/context.tsx';
import { ErrorPanel } from './load-states.tsx';

/** The settings with their tag: a change that was made for other settings is refused. */
export function settingsOf(ledger: Ledger) {
  return queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) => ledger.settings.getTagged({ signal }),
  });
}

/** Reads the settings again. When it ends, every form shows them: what is typed from then on has their tag. */
export async function readSettingsAgain(queries: QueryClient): Promise<void> {
  await queries.invalidateQueries({ queryKey: ['settings'] });
  // The client tells the page of new data in a later task.
  await new Promise<void>((resolve) => notifyManager.schedule(resolve));
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
        readSettingsAgain(queries),
        queries.invalidateQueries({ queryKey: ['connections'] }),
      ]);
    },
  });
}

/** A change of settings that is being saved. */
interface Saving {
  readonly error: Error | null;
  readonly isPending: boolean;
  reset(): void;
}

/** Whether the change was made for settings that others have changed since. */
function isOutdated({ error }: Saving): boolean {
  return error instanceof LedgerApiError && error.code === 'precondition_failed';
}

interface SaveErrorProps {
  readonly saving: Saving;
  /** Newer settings were loaded. */
  readonly onLoaded?: (newer: { readonly data: SettingsAnswer; readonly tag: string }) => void;
}

/** Why a change of settings was not saved. If others were first, their settings can be loaded. */
export function SaveError({ saving, onLoaded }: SaveErrorProps) {
  const { refetch, isFetching } = useQuery(settingsOf(useLedger()));
  const { error } = saving;
  if (error === null) return null;
  const load = async () => {
    const { data, isError } = await refetch();
    if (isError || data === undefined) return;
    onLoaded?.(data);
    saving.reset();
  };
  return (
    <div>
      <ErrorPanel error={error} />
      {isOutdated(saving) && (
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

interface SaveButtonProps extends ButtonProps {
  readonly saving: Saving;
  readonly children: string;
}

/** Submits a form of settings. Once others were first, only after their settings were loaded. */
export function SaveButton({ saving, disabled, ...rest }: SaveButtonProps) {
  return (
    <Button
      size="xs"
      type="submit"
      loading={saving.isPending}
      disabled={disabled === true || isOutdated(saving)}
      {...rest}
    />
  );
}
